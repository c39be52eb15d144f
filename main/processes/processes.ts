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
  /** Told what a program dies of: what the server writes to its standard error, and what Electron says of any. */
  onError?(text: string): void;
}

const PROGRAMS: Partial<Record<Program, string>> = { server: 'desktop', cli: 'desktop-cli' };

/** What programs cannot do without on Windows; nothing of it is ours. */
const WINDOWS = ['SystemRoot', 'SystemDrive', 'windir', 'TEMP', 'TMP'];

/** Our programs as Electron's utility processes: the only kind that may be started where its fuses forbid to run Node. */
export function createProcesses(parts: ProcessesParts): Processes & { channelOf(port: unknown): Channel } {
  const { environment, platform } = parts;

  /** Of the server: what it needs has to be there before it starts. */
  const own: NodeJS.ProcessEnv = {
    UV_THREADPOOL_SIZE: '16',
    // The GLib that Electron brings to a Linux desktop is not the one that the native library of pictures needs.
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
      // Its memory was not enough. What else is said of it has the environment in it.
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
    // Electron asks a process to end; one that is stuck or stopped does not listen.
    if (child.pid !== undefined) {
      try {
        process.kill(child.pid, 'SIGKILL');
      } catch {
        // It has gone.
      }
    }
    child.kill();
  }

  // Before it has a number there is nobody to kill.
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
