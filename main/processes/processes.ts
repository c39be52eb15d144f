import { fileURLToPath } from 'node:url';
import type { MessageChannelMain, MessagePortMain, UtilityProcess, utilityProcess } from 'electron';
import type { Channel } from '../../server/control/contract/channel.ts';
import type { Forked, Processes, Program } from './forked.ts';

export interface ProcessesParts {
  readonly utilityProcess: Pick<typeof utilityProcess, 'fork'>;
  readonly MessageChannelMain: new () => MessageChannelMain;
  /** Of this process. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly platform: NodeJS.Platform;
  /** Called with the reason of a crash: standard error of the server, and reports of Electron. */
  onError?(text: string): void;
}

const PROGRAMS: Partial<Record<Program, string>> = { server: 'desktop', cli: 'desktop-cli' };

/** Variables that programs need on Windows; none of them is ours. */
const WINDOWS = ['SystemRoot', 'SystemDrive', 'windir', 'TEMP', 'TMP'];

/** Starts our programs as Electron utility processes, the only kind allowed when fuses disable Node. */
export function createProcesses(parts: ProcessesParts): Processes & { channelOf(port: unknown): Channel } {
  const { environment, platform } = parts;

  /** For the server: dependencies must exist before it starts. */
  const own: NodeJS.ProcessEnv = {
    UV_THREADPOOL_SIZE: '16',
    // Electron's GLib on Linux conflicts with that of the native image library.
    ...(platform === 'linux' ? { LARDER_IMAGES: 'wasm' } : {}),
    ...environment,
  };
  const system = platform === 'win32' ? pick(environment, WINDOWS) : {};

  return {
    fork(program, { options = [], environment: given, heap } = {}) {
      const file = new URL(`../../bundle/${PROGRAMS[program] ?? program}.js`, import.meta.url);
      const isServer = program === 'server';
      const child = parts.utilityProcess.fork(fileURLToPath(file), [...options], {
        serviceName: `Larder ${program}`,
        env: given === undefined ? own : { ...system, ...given },
        stdio: program === 'cli' ? 'inherit' : isServer ? ['ignore', 'ignore', 'pipe'] : 'ignore',
        ...(heap === undefined ? {} : { execArgv: [`--max-old-space-size=${heap}`] }),
      });
      child.stderr?.on('data', (chunk: Buffer) => parts.onError?.(chunk.toString('utf8')));
      // It ran out of memory. The rest of the report contains the environment, and is not logged.
      child.on('error', (type, location) => parts.onError?.(`${program}: ${type} at ${location}`));
      return forked(child);
    },
    newPorts() {
      const { port1: first, port2: second } = new parts.MessageChannelMain();
      return { first, second };
    },
    channelOf(port) {
      const own = port as MessagePortMain;
      return {
        post: (message) => own.postMessage(message),
        onMessage(listener) {
          own.on('message', ({ data }) => listener(data));
          own.start();
        },
        onClose: (listener) => own.once('close', listener),
      };
    },
  };
}

function forked(child: UtilityProcess): Forked {
  let isKilled = false;

  function kill(): void {
    isKilled = true;
    // Electron asks a process to end, which one that hangs or is stopped ignores.
    if (child.pid !== undefined) {
      try {
        process.kill(child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    child.kill();
  }

  // It can be killed only after it has a process id.
  child.once('spawn', () => {
    if (isKilled) kill();
  });
  return {
    postMessage: (message, ports = []) => child.postMessage(message, ports as MessagePortMain[]),
    onMessage: (listener) => child.on('message', listener),
    onStart: (listener) => child.once('spawn', () => listener(child.pid)),
    onExit: (listener) => child.once('exit', (code) => listener(`exit code ${code}`)),
    kill,
  };
}

function pick(environment: Readonly<NodeJS.ProcessEnv>, names: readonly string[]): Record<string, string> {
  const found = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}
