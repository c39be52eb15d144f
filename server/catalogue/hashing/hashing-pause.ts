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
const LOOK_EVERY = MINUTE;

/** @param isOnBattery whether this machine runs on its battery now */
export function createHashingPause(
  { settings, events }: { readonly settings: Pick<Settings, 'values'>; readonly events: Pick<Events, 'on'> },
  isOnBattery: () => Promise<boolean>,
): HashingPause {
  let onBattery = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let changed = new AbortController();
  const current = (): PauseReason | null => (settings.values.hashingPaused ? 'owner' : onBattery ? 'battery' : null);

  function tell(): void {
    changed.abort();
    changed = new AbortController();
  }

  events.on('settings.changed', ({ keys }) => {
    if (keys.includes('hashingPaused')) tell();
  });

  async function look(): Promise<PauseReason | null> {
    lookedAt = performance.now();
    const before = onBattery;
    onBattery = await isOnBattery();
    if (before !== onBattery) tell();
    return current();
  }

  const lookIfDue = async () => (performance.now() - lookedAt >= LOOK_EVERY ? look() : current());

  return {
    reason: look,
    isPaused: async () => (await lookIfDue()) !== null,
    async passed(signal) {
      for (;;) {
        signal.throwIfAborted();
        // Before the look, so that no change goes unnoticed.
        const { signal: change } = changed;
        if ((await lookIfDue()) === null) return;
        if (change.aborted) continue;
        await wait(LOOK_EVERY, undefined, { ref: false, signal: AbortSignal.any([signal, change]) }).catch(
          () => undefined,
        );
      }
    },
  };
}
