import { useEffect, useState, useSyncExternalStore } from 'react';
import { askBeforeLeaving, currentHash, subscribeToHash } from '../control/leaving.ts';
import { t } from '../messages/messages.ts';
import { Confirm } from '../parts/dialogs/confirm.tsx';

/** Asks before the page goes, with all that was typed. */
export function LeavingQuestion() {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  // Whoever listens to the address is asked before it changes.
  useSyncExternalStore(subscribeToHash, currentHash);
  useEffect(() => askBeforeLeaving((go) => setLeave(() => go)), []);
  if (leave === null) return null;
  return (
    <Confirm
      title={t('firstRun.leaving.title')}
      loss={t('firstRun.leaving.loss')}
      word={t('firstRun.leaving.leave')}
      keep={t('firstRun.leaving.keep')}
      change={{ isPending: false, error: null }}
      onDo={() => {
        setLeave(null);
        leave();
      }}
      onClose={() => setLeave(null)}
    />
  );
}
