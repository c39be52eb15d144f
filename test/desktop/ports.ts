import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Those that systems give to nobody by themselves: neither to who asks for any port, nor to outgoing connections. */
const QUIET = { first: 20_000, count: 12_000 };

/**
 * A port of loopback that is taken, until it is given back.
 * @param wanted any one unless given
 */
export async function takePort(wanted = 0): Promise<{ port: number; release(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  return { port, release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** A port of loopback that nobody has now, and nobody gets who does not ask for it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const taken = await takePort(QUIET.first + randomInt(QUIET.count)).catch(() => null);
    await taken?.release();
    if (taken !== null) return taken.port;
  }
}
