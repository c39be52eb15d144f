import type { App } from 'electron';

/** The application was started again because an error had ended it. */
export const AFTER_ERROR = '--after-error';

/** Seconds. What fails again so soon after a restart would do so after every restart. */
const TOO_SOON = 60;

/** What happens when nothing has caught an error. */
export interface UnexpectedErrors {
  /**
   * Sets how the application ends in order; before that, it ends at once.
   * @param end with whether it should start again afterwards
   */
  endWith(end: (isRestart: boolean) => void): void;
  /** Starts the application again once it has ended. */
  relaunch(): void;
}

/**
 * Ends the application when nothing has caught an error: what it knows may be wrong from then on. A rejected promise leaves nothing
 * half done, so it is only logged.
 * @param argv of the process @param write for the log
 */
export function handleUnexpectedErrors(
  app: Pick<App, 'exit' | 'relaunch'>,
  argv: readonly string[],
  write: (line: string) => void,
): UnexpectedErrors {
  let end: (isRestart: boolean) => void = () => app.exit(1);
  let hasFailed = false;
  process.on('uncaughtException', (error) => {
    write(`unexpected: ${error.stack}`);
    if (hasFailed) return;
    hasFailed = true;
    end(!argv.includes(AFTER_ERROR) || process.uptime() > TOO_SOON);
  });
  process.on('unhandledRejection', (error) => write(`unexpected: ${(error as Error)?.stack ?? error}`));
  return {
    endWith(inOrder) {
      end = inOrder;
    },
    relaunch() {
      const args = argv.slice(1).filter((word) => word !== AFTER_ERROR);
      app.relaunch({ args: [...args, ...(hasFailed ? [AFTER_ERROR] : [])] });
    },
  };
}
