import { useEffect, useState, useSyncExternalStore } from 'react';
import { askBeforeLeaving, currentHash, subscribeToHash } from '../control/leaving.ts';
import { Confirm } from '../parts/dialogs/confirm.tsx';
import { firstRunTexts } from '../texts/first-run.ts';

const words = firstRunTexts.leaving;

/** Asks before the page goes, with all that was typed. */
export function LeavingQuestion() {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  // Whoever listens to the address is asked before it changes.
  useSyncExternalStore(subscribeToHash, currentHash);
  useEffect(() => askBeforeLeaving((go) => setLeave(() => go)), []);
  if (leave === null) return null;
  return (
    <Confirm
      {...words}
      change={{ isPending: false, error: null }}
      onDo={() => {
        setLeave(null);
        leave();
      }}
      onClose={() => setLeave(null)}
    />
  );
}
