import { type Clock, MINUTE, SECOND } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';

/** Milliseconds between two checks of the machine's networks, which are cheap. */
const CHECK_INTERVAL = 5 * SECOND;
/** A gap in these checks of so many milliseconds means that the machine was asleep. */
const ASLEEP = MINUTE;

interface NetworkWatchParts {
  /** This machine's addresses on its networks. */
  readonly addresses: () => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** The machine was asleep. */
  onWake(): Promise<void>;
  /** The machine has other addresses. */
  onChange(): Promise<void>;
}

/** Watches the machine's networks; failures of what is called are logged. Returns the function that stops it. */
export function watchNetworks({ addresses, clock, log, onWake, onChange }: NetworkWatchParts): () => void {
  let networks = addresses().join();
  let checkedAt = clock.now();
  let isChecking = false;

  async function check(hasSlept: boolean): Promise<void> {
    const now = addresses().join();
    if (hasSlept) await onWake();
    if (now === networks) return;
    networks = now;
    await onChange();
  }

  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    const hasSlept = clock.now() - checkedAt > ASLEEP;
    checkedAt = clock.now();
    check(hasSlept)
      .catch((error) => log.error({ err: error }, 'failed to check the networks'))
      .finally(() => {
        isChecking = false;
      });
  }, CHECK_INTERVAL);
  return () => clearInterval(timer);
}
