import { join } from 'node:path';
import { app, MessageChannelMain, utilityProcess } from 'electron';
import { fromCommandLine, type ToCommandLine } from '../server/control/contract/desktop.ts';
import { createProcesses } from './processes/processes.ts';
import { createWorkerProcesses } from './processes/worker-processes.ts';
import { typedCommand } from './typed-command.ts';

/** Arguments after it are for the command line: `Larder --cli status`. */
export const COMMAND_LINE = '--cli';

/**
 * The command line of an application whose executable cannot run Node programs: `larder` runs in a separate process, which prints
 * by itself and ends with its exit code. It opens no window, and works whether or not the application runs.
 */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  // A running window has a separate session.
  app.setPath('sessionData', join(app.getPath('userData'), 'command-line'));
  process.on('uncaughtException', (error) => {
    process.stderr.write(`larder: ${error.message}\n`);
    app.exit(1);
  });
  app.disableHardwareAcceleration();
  app.dock?.hide();
  await app.whenReady();
  const processes = createProcesses({
    ...{ utilityProcess, MessageChannelMain },
    environment: process.env,
    platform: process.platform,
  });
  const program = processes.fork('cli');
  const workers = createWorkerProcesses(processes, program);
  const tell = (message: ToCommandLine) => program.postMessage(message);
  let code: number | null = null;

  program.onMessage((message) => {
    const said = fromCommandLine.safeParse(message);
    if (!said.success) return;
    if (said.data.kind === 'read') readInput(tell);
    else if (said.data.kind === 'end') {
      ({ code } = said.data);
      program.kill();
    } else workers.handle(said.data);
  });
  program.onExit(() => {
    workers.kill();
    // It was killed, or ended without an exit code.
    app.exit(code ?? 1);
  });
  // On a request to stop, the command ends as in a terminal, and then the application.
  app.on('before-quit', (event) => {
    event.preventDefault();
    tell({ kind: 'stop' });
  });
  app.on('window-all-closed', () => undefined);
  tell({ kind: 'run', argv, command: typedCommand(app.getPath('exe'), process.env) });
}

function readInput(tell: (message: ToCommandLine) => void): void {
  if (process.platform === 'win32') {
    process.stderr.write('larder: Windows gives this program no standard input. Set Larder up in its window.\n');
    tell({ kind: 'input', bytes: null });
    return;
  }
  process.stdin.on('data', (bytes) => tell({ kind: 'input', bytes: new Uint8Array(bytes) }));
  process.stdin.once('end', () => tell({ kind: 'input', bytes: null }));
  process.stdin.once('error', () => tell({ kind: 'input', bytes: null }));
}
