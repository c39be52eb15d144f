import { isInstallation } from '../folder-check.ts';
import type { ServerProcess } from './server-process.ts';

/** Milliseconds between two checks whether a missing folder is back. */
const CHECK_INTERVAL = 5_000;

/** Waits for a missing folder, such as one on a disk that is not connected. */
interface MissingFolder {
  /** Starts the server once the folder is back, as long as the server has failed. It waits for one folder at a time. */
  waitFor(folder: string): void;
  /** Also ends a check that has begun. */
  stop(): void;
}

/** @param isBack whether the folder is there @param interval milliseconds between two checks */
export function createMissingFolder(
  server: Pick<ServerProcess, 'state' | 'start'>,
  isBack: (folder: string) => Promise<boolean> = isInstallation,
  interval = CHECK_INTERVAL,
): MissingFolder {
  let timer: NodeJS.Timeout | null = null;
  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }
  return {
    waitFor(folder) {
      stop();
      const look = async (mine: NodeJS.Timeout | null) => {
        const isFound = await isBack(folder);
        // Another folder or a pause came while it looked.
        if (timer !== mine || server.state.kind !== 'failed') return;
        if (isFound) server.start();
        else lookLater();
      };
      const lookLater = () => {
        timer = setTimeout(() => look(timer), interval);
      };
      lookLater();
    },
    stop,
  };
}
