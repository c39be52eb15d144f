import { powerSaveBlocker } from 'electron';

/** Keeps the computer from sleeping by itself. */
interface SleepBlocker {
  set(isWanted: boolean): void;
}

export function createSleepBlocker(): SleepBlocker {
  let blocker: number | null = null;
  return {
    set(isWanted) {
      if (isWanted && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension');
      if (!isWanted && blocker !== null) {
        powerSaveBlocker.stop(blocker);
        blocker = null;
      }
    },
  };
}
