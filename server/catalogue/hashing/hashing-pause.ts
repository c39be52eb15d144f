import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE } from '../../lib/clock.ts';
import type { Events } from '../../lib/events.ts';
import type { Settings } from '../../settings/settings.ts';

/** Why nothing is hashed in the background: the owner has paused it, or this machine runs on its battery. */
type PauseReason = 'owner' | 'battery';

export interface HashingPause {
  /** Looks again. @returns null while files may be hashed */
  reason(): Promise<PauseReason | null>;
  /** Whether there is a reason. Looks at the battery once a minute. */
  isPaused(): Promise<boolean>;
  /** Waits until files may be hashed. @throws the reason of the signal */
  passed(signal: AbortSignal): Promise<void>;
}

/** Milliseconds between two looks at the battery while work goes on, or waits for power. */
const CHECK_INTERVAL = MINUTE;

/** @param isOnBattery whether this machine runs on its battery now */
export function createHashingPause(
  { settings, events }: { readonly settings: Pick<Settings, 'values'>; readonly events: Pick<Events, 'on'> },
  isOnBattery: () => Promise<boolean>,
): HashingPause {
  let onBattery = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let changed = new AbortController();
  const current = (): PauseReason | null => (settings.values.hashingPaused ? 'owner' : onBattery ? 'battery' : null);

  function tell(): void {
    changed.abort();
    changed = new AbortController();
  }

  events.on('settings.changed', ({ keys }) => {
    if (keys.includes('hashingPaused')) tell();
  });

  async function check(): Promise<PauseReason | null> {
    checkedAt = performance.now();
    const before = onBattery;
    onBattery = await isOnBattery();
    if (before !== onBattery) tell();
    return current();
  }

  const checkIfDue = async () => (performance.now() - checkedAt >= CHECK_INTERVAL ? check() : current());

  return {
    reason: check,
    isPaused: async () => (await checkIfDue()) !== null,
    async passed(signal) {
      for (;;) {
        signal.throwIfAborted();
        // Before the check, so that no change goes unnoticed.
        const { signal: change } = changed;
        if ((await checkIfDue()) === null) return;
        if (change.aborted) continue;
        await wait(CHECK_INTERVAL, undefined, { ref: false, signal: AbortSignal.any([signal, change]) }).catch(
          () => undefined,
        );
      }
    },
  };
}
