import { main } from './cli.ts';
import { type FromCommandLine, toCommandLine } from './control/contract/desktop.ts';
import { parentPort } from './lib/process/parent-port.ts';
import { createRemoteWorkers } from './workers/pool/remote-workers.ts';

// The command line of a packaged application, whose executable cannot run Node programs: it runs in a process started by the
// application, prints by itself, and gets arguments, standard input and workers from it.

const parent = parentPort();
if (parent === null) throw new Error('This is started by the desktop application. For the command line alone: larder');

const send = (message: FromCommandLine) => parent.postMessage(message);
const workers = createRemoteWorkers(send);

const arrived: (Uint8Array | null)[] = [];
let requested: ((bytes: Uint8Array | null) => void) | null = null;

parent.on('message', ({ data, ports: [port] }) => {
  const message = toCommandLine.safeParse(data);
  if (!message.success) return;
  const { data: received } = message;
  if (received.kind === 'run') void run(received);
  else if (received.kind === 'worker-started') {
    if (port !== undefined) workers.started(received.id, received.pid, port);
  } else if (received.kind === 'worker-ended') workers.ended(received.id, received.how);
  else if (received.kind === 'input') take(received.bytes);
  else process.emit('SIGTERM');
});

// Ending is safer than continuing half done.
process.on('unhandledRejection', (error) => {
  throw error;
});

async function run({ argv, command }: { argv: readonly string[]; command: string }): Promise<void> {
  await main(argv, { spawnWorker: workers.spawnWorker, stdin: readInput(), command });
  // Output into a pipe must be written completely first.
  for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write('', done));
  send({ kind: 'end', code: Number(process.exitCode ?? 0) });
}

/** Requested only when it is read: a terminal would wait for input. */
async function* readInput(): AsyncGenerator<Uint8Array> {
  send({ kind: 'read' });
  for (;;) {
    const bytes = arrived.length > 0 ? (arrived.shift() ?? null) : await next();
    if (bytes === null) return;
    yield bytes;
  }
}

function next(): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    requested = resolve;
  });
}

function take(bytes: Uint8Array | null): void {
  if (requested === null) {
    arrived.push(bytes);
    return;
  }
  requested(bytes);
  requested = null;
}
