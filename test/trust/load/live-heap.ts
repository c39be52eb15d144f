import { once } from 'node:events';
import { WebSocket } from 'undici';
import type { Installation } from '../../support/households/server-process.ts';

/** How a server is started whose heap is to be looked at: its inspector, once it is woken, takes any free port of loopback. */
export const LOOKED_INTO = ['env', 'NODE_OPTIONS=--inspect-port=127.0.0.1:0'];

/** Milliseconds within which an inspector answers. */
const TIMEOUT = 30_000;

/** What of a server's heap is in use, by its inspector. What the kernel says has in it what could be collected, too. */
export class LiveHeap {
  readonly #address: string;

  private constructor(address: string) {
    this.#address = address;
  }

  /** @param installation whose server was started by {@link LOOKED_INTO} */
  static async of({ pid, stderr }: Installation): Promise<LiveHeap> {
    const told = new Promise<string>((resolve) => {
      let text = '';
      stderr.on('data', (chunk: Buffer) => {
        text += chunk;
        const address = /ws:\/\/127\.0\.0\.1:\S+/.exec(text)?.[0];
        if (address !== undefined) resolve(address);
      });
    });
    process.kill(pid, 'SIGUSR1');
    return new LiveHeap(await told);
  }

  /** Bytes in use after everything was collected that can be. */
  async used(): Promise<number> {
    const inspector = new WebSocket(this.#address);
    try {
      await once(inspector, 'open', { signal: AbortSignal.timeout(TIMEOUT) });
      await ask(inspector, 'HeapProfiler.collectGarbage');
      const { usedSize } = await ask(inspector, 'Runtime.getHeapUsage');
      return Number(usedSize);
    } finally {
      inspector.close();
    }
  }
}

/** One question at a time: the next message that has a result is its answer. */
async function ask(inspector: WebSocket, method: string): Promise<Record<string, unknown>> {
  const answered = once(inspector, 'message', { signal: AbortSignal.timeout(TIMEOUT) });
  inspector.send(JSON.stringify({ id: 1, method }));
  const [message] = (await answered) as [{ data: string }];
  return (JSON.parse(message.data) as { result: Record<string, unknown> }).result;
}
