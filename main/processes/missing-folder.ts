import { isInstallation } from '../folder-check.ts';
import type { ServerProcess } from './server-process.ts';

/** Milliseconds between two checks whether a missing folder is back. */
const CHECK_INTERVAL = 5_000;

/** Waits for a missing folder, such as one on a disk that is not connected. */
interface MissingFolder {
  /** Starts the server once the folder is back, as long as the server has failed. */
  waitFor(folder: string): void;
  stop(): void;
}

export function createMissingFolder(server: Pick<ServerProcess, 'state' | 'start'>): MissingFolder {
  let timer: NodeJS.Timeout | undefined;
  return {
    waitFor(folder) {
      const look = async () => {
        if (await isInstallation(folder)) server.start();
        else if (server.state.kind === 'failed') timer = setTimeout(look, CHECK_INTERVAL);
      };
      timer = setTimeout(look, CHECK_INTERVAL);
    },
    stop: () => clearTimeout(timer),
  };
}
