import { type LogFile, openLogFile } from './cli/log-file.ts';
import { startFailure } from './cli/start-failure.ts';
import type { Larder } from './composition/larder.ts';
import { parseConfig } from './config/config.ts';
import type { Channel } from './control/contract/channel.ts';
import type { Output } from './control/contract/contract.ts';
import { type FromServer, type ServerFlags, toServer } from './control/contract/desktop.ts';
import { serveChannel } from './control/serve-channel.ts';
import { endNow } from './lib/process/end-process.ts';
import { setLarderCommand } from './lib/process/larder-command.ts';
import { parentPort, type TransferredPort } from './lib/process/parent-port.ts';
import { requireInstallation } from './storage/installation/data-folder.ts';
import { descriptorProblem } from './storage/installation/descriptors.ts';
import { type Layout, layoutOf } from './storage/layout.ts';
import { createRemoteWorkers } from './workers/pool/remote-workers.ts';

// The server as run by the desktop application: in a process that it starts and stops, with a channel for the control contract.
// It imports nothing of the desktop application, and communicates only by messages.

const parent = parentPort();
if (parent === null) throw new Error('This is started by the desktop application. For a server alone: larder serve');

const send = (message: FromServer) => parent.postMessage(message);
const workers = createRemoteWorkers(send);

let starting: Promise<Larder | null> | null = null;
let stopping: Promise<void> | null = null;
let logFile: LogFile | null = null;
let isOnBattery = false;

parent.on('message', ({ data, ports: [port] }) => {
  const message = toServer.safeParse(data);
  if (!message.success) return;
  const { data: received } = message;
  if (received.kind === 'start') {
    setLarderCommand(received.command);
    if (port !== undefined) starting ??= start(received.flags, port);
  } else if (received.kind === 'worker-started') {
    if (port !== undefined) workers.started(received.id, received.pid, port);
  } else if (received.kind === 'worker-ended') workers.ended(received.id, received.how);
  else if (received.kind === 'power') isOnBattery = received.isOnBattery;
  else void stop();
});
// Signals reach the whole process group, as with Ctrl+C: the application stops its server in an orderly way.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
// A restart is safer than continuing half broken.
process.on('unhandledRejection', (error) => {
  throw error;
});

/** @returns null when it did not start, which was reported */
async function start(flags: ServerFlags, port: TransferredPort): Promise<Larder | null> {
  let larder: Larder | null = null;
  let layout: Layout | null = null;
  try {
    // Defaults are those of the command line: programs are found in the search path, and settings in the environment.
    const config = parseConfig(flags, process.env);
    layout = layoutOf(config.folder);
    if (flags.mustExist) await requireInstallation(layout);
    const problem = descriptorProblem();
    if (problem !== null) throw new Error(problem);
    logFile = await openLogFile(config);
    const { log } = logFile;
    send({ kind: 'step', step: 'opening' });
    const { openLarder } = await import('./composition/larder.ts');
    larder = await openLarder({
      config,
      log,
      spawnWorker: workers.spawnWorker,
      reportsBattery: () => isOnBattery,
    });
    send({ kind: 'step', step: 'listening' });
    await larder.serve();
    const { dispatcher } = larder;
    serveChannel(channelOf(port), { dispatcher, log });
    const { version, addresses } = (await dispatcher.dispatch('status', {})) as Output<'status'>;
    log.info({ addresses }, 'started');
    send({ kind: 'ready', version, addresses, log: logFile.path });
    larder.onAddresses((now) => send({ kind: 'addresses', addresses: now }));
    return larder;
  } catch (error) {
    logFile?.log.error({ err: error }, 'failed to start the server');
    await larder?.close().catch(() => undefined);
    logFile?.flush();
    send({ kind: 'failed', failure: await startFailure(error, layout) });
    return null;
  }
}

/** Lets requests in progress finish. The application waits for the end of the process. */
function stop(): Promise<void> {
  stopping ??= closeAndExit();
  return stopping;
}

async function closeAndExit(): Promise<void> {
  const larder = await starting;
  await larder?.close().catch((error) => logFile?.log.error({ err: error }, 'failed to stop the server cleanly'));
  logFile?.log.info('stopped');
  logFile?.flush();
  if (larder?.isHeld() === true) endNow();
  else process.exit(larder === null ? 1 : 0);
}

function channelOf(port: TransferredPort): Channel {
  return {
    post: (message) => port.postMessage(message),
    onMessage(listener) {
      port.on('message', ({ data }) => listener(data));
      port.start();
    },
    onClose(listener) {
      // The desktop application has ended or crashed.
      port.on('close', () => {
        listener();
        void stop();
      });
    },
  };
}
