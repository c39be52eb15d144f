import { createProcesses, type ProcessesParts } from '../../dist/main/processes/processes.js';
import { aliveProcesses, MessageChannelMain, utilityProcess } from '../../dist/test-electron/utility.js';

type Fork = typeof utilityProcess.fork;

/** What the desktop starts its processes with, on what stands in for Electron's: real processes of Node. */
export function utilityProcesses() {
  const create = (fork: Fork) =>
    createProcesses({
      ...({ utilityProcess: { fork }, MessageChannelMain } as unknown as ProcessesParts),
      environment: { PATH: process.env.PATH, LARDER_NAME: 'attic.local' },
      platform: process.platform,
    });
  return {
    parts: create(utilityProcess.fork),
    /** Any other program in the place of ours. */
    forkOther: (path: string) =>
      create((_ours, args, options) => utilityProcess.fork(path, args, options)).fork('server'),
    /** Processes that run. */
    alive: () => aliveProcesses().map(({ child }) => child),
  };
}
