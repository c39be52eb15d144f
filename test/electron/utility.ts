import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

// `utilityProcess` and `MessageChannelMain`: real processes of Node, real channels. What goes through a port that was handed
// over goes by way of this process.

const CHILD = fileURLToPath(new URL('../../test/electron/utility-child.mjs', import.meta.url));

interface ForkOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly execArgv?: string[];
  readonly stdio?: 'inherit' | 'ignore' | 'pipe' | ('inherit' | 'ignore' | 'pipe')[];
  readonly serviceName?: string;
}

const alive = new Set<UtilityProcess>();

/** Processes that run. */
export const aliveProcesses = (): readonly UtilityProcess[] => [...alive];

export class UtilityProcess extends EventEmitter {
  readonly child: ChildProcess;
  readonly serviceName: string;
  readonly stderr: Readable | null;
  /** Undefined until it has been spawned, and after it has ended. */
  pid: number | undefined;
  readonly #ports = new Map<number, MessagePort>();
  #next = 0;

  constructor(modulePath: string, args: readonly string[], options: ForkOptions) {
    super();
    const { env = process.env, execArgv = [], stdio = 'inherit', serviceName = 'Node Utility Process' } = options;
    this.serviceName = serviceName;
    const [, out = 'inherit', error = 'inherit'] = typeof stdio === 'string' ? [stdio, stdio, stdio] : stdio;
    this.child = fork(CHILD, [pathToFileURL(modulePath).href, ...args], {
      serialization: 'advanced',
      env,
      execArgv,
      // There is no standard input.
      stdio: ['ignore', out, error, 'ipc'],
    });
    this.stderr = this.child.stderr;
    alive.add(this);
    this.child.on('message', (message) => this.#hear(message as Message));
    this.child.once('spawn', () => {
      this.pid = this.child.pid;
      this.emit('spawn');
    });
    this.child.once('exit', (code) => {
      alive.delete(this);
      this.pid = undefined;
      for (const port of this.#ports.values()) port.close();
      this.#ports.clear();
      this.emit('exit', code ?? 1);
    });
  }

  postMessage(data: unknown, transfer: readonly MessagePortMain[] = []): void {
    this.#send({ data, ports: transfer.map((port) => this.#take(port.inheritFile())) });
  }

  /** Nobody is killed who has no number yet. */
  kill(): boolean {
    return this.pid !== undefined && this.child.kill();
  }

  #send(message: object): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  #take(port: MessagePort): number {
    const id = this.#next++;
    this.#ports.set(id, port);
    port.on('message', (data) => this.#send({ port: id, data }));
    port.on('close', () => {
      if (this.#ports.delete(id)) this.#send({ closed: id });
    });
    return id;
  }

  #hear(message: Message): void {
    if (message.closed !== undefined) {
      const port = this.#ports.get(message.closed);
      this.#ports.delete(message.closed);
      port?.close();
    } else if (message.port !== undefined) this.#ports.get(message.port)?.postMessage(message.data);
    else this.emit('message', message.data);
  }
}

interface Message {
  readonly port?: number;
  readonly closed?: number;
  readonly data?: unknown;
}

export const utilityProcess = {
  fork: (modulePath: string, args: readonly string[] = [], options: ForkOptions = {}) =>
    new UtilityProcess(modulePath, args, options),
};

class MessagePortMain extends EventEmitter {
  readonly #port: MessagePort;
  #isStarted = false;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#port.on('message', (data) => this.emit('message', { data, ports: [] }));
    this.#port.once('close', () => this.emit('close'));
  }

  close(): void {
    this.#port.close();
  }

  /** To another process: from then on this end is of no use here. */
  inheritFile(): MessagePort {
    if (this.#isStarted) throw new Error('a port that is in use cannot be handed over');
    return this.#port;
  }
}

export class MessageChannelMain {
  readonly port1: MessagePortMain;
  readonly port2: MessagePortMain;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new MessagePortMain(port1);
    this.port2 = new MessagePortMain(port2);
  }
}
