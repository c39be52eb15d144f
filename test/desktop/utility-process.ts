import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Forked, Program, ServerProcessParts } from '../../dist/main/server-process.js';
import type { Channel } from '../../dist/server/control/contract/channel.js';

const CHILD = fileURLToPath(new URL('./utility-child.mjs', import.meta.url));
const DIST = new URL('../../dist/server/', import.meta.url);

/** Stands in for Electron's `utilityProcess` and `MessageChannelMain`: real processes of Node, real channels. */
export function utilityProcesses() {
  const alive = new Set<ChildProcess>();

  function forkFile(file: URL, options: readonly string[]): Forked & { readonly child: ChildProcess } {
    const child = fork(CHILD, [file.href, ...options], {
      serialization: 'advanced',
      env: { UV_THREADPOOL_SIZE: '16', PATH: process.env.PATH, LARDER_NAME: 'attic.local' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    alive.add(child);
    const ports = new Map<number, MessagePort>();
    let next = 0;
    const send = (message: object) => {
      if (child.connected) child.send(message, () => undefined);
    };
    const take = (port: MessagePort): number => {
      const id = next++;
      ports.set(id, port);
      port.on('message', (data) => send({ port: id, data }));
      port.on('close', () => {
        if (ports.delete(id)) send({ closed: id });
      });
      return id;
    };
    const listeners: ((message: unknown) => void)[] = [];
    child.on('message', (message: { port?: number; closed?: number; data?: unknown }) => {
      if (message.closed !== undefined) {
        const port = ports.get(message.closed);
        ports.delete(message.closed);
        port?.close();
      } else if (message.port !== undefined) ports.get(message.port)?.postMessage(message.data);
      else for (const listener of listeners) listener(message.data);
    });
    child.on('exit', () => {
      alive.delete(child);
      for (const port of ports.values()) port.close();
      ports.clear();
    });
    return {
      child,
      pid: child.pid,
      postMessage: (data, transferred = []) => send({ data, ports: (transferred as MessagePort[]).map(take) }),
      onMessage: (listener) => listeners.push(listener),
      onExit: (listener) => child.on('exit', (code, signal) => listener(signal ?? `exit code ${code}`)),
      kill: () => child.kill('SIGKILL'),
    };
  }

  const parts: Pick<ServerProcessParts, 'fork' | 'newPorts' | 'channelOf'> = {
    fork: (program: Program, options) =>
      forkFile(new URL(program === 'server' ? 'desktop.js' : `workers/${program}.js`, DIST), options),
    newPorts() {
      const { port1: first, port2: second } = new MessageChannel();
      return { first, second };
    },
    channelOf(port): Channel {
      const own = port as MessagePort;
      return {
        post: (message) => own.postMessage(message),
        onMessage: (listener) => own.on('message', listener),
        onClose: (listener) => own.once('close', listener),
      };
    },
  };
  return {
    parts,
    /** Any other program in the place of ours. */
    forkOther: (path: string) => forkFile(pathToFileURL(path), []),
    /** Processes that run. */
    alive: () => [...alive],
  };
}
