import { onTestFinished, vi } from 'vitest';

export interface HeldTimers {
  /** How many are pending. */
  readonly count: number;
  /** Ends the pending ones now. */
  end(): void;
}

/**
 * Until the end of the test, it can end timers of this process early, so that nobody waits for a deadline of the product.
 * @param isHeld which ones, by their milliseconds
 */
export function holdTimers(isHeld: (milliseconds: number) => boolean): HeldTimers {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const pending = new Map<unknown, () => void>();
  type Start = (run: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) => NodeJS.Timeout;
  const startAndHold: Start = (run, milliseconds = 0, ...given) => {
    const timer = start(() => {
      pending.delete(timer);
      run(...given);
    }, milliseconds);
    if (isHeld(milliseconds)) pending.set(timer, () => run(...given));
    return timer;
  };
  const started = vi.spyOn(globalThis, 'setTimeout').mockImplementation(startAndHold as typeof setTimeout);
  const stopped = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    pending.delete(timer);
    stop(timer);
  });
  onTestFinished(() => {
    started.mockRestore();
    stopped.mockRestore();
  });
  return {
    get count() {
      return pending.size;
    },
    end() {
      for (const [timer, run] of [...pending]) {
        pending.delete(timer);
        stop(timer as NodeJS.Timeout);
        run();
      }
    },
  };
}
