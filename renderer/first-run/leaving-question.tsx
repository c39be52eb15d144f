import { useEffect, useState, useSyncExternalStore } from 'react';
import { askBeforeLeaving, currentHash, subscribeToHash } from '../control/unsaved-changes.ts';
import { t } from '../messages/messages.ts';
import { Confirm } from '../parts/dialogs/confirm.tsx';

/** Asks before the page and its input are lost. */
export function LeavingQuestion() {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  // Only a subscriber of the address is asked before it changes.
  useSyncExternalStore(subscribeToHash, currentHash);
  useEffect(() => askBeforeLeaving((go) => setLeave(() => go)), []);
  if (leave === null) return null;
  return (
    <Confirm
      title={t('firstRun.leaving.title')}
      loss={t('firstRun.leaving.loss')}
      label={t('firstRun.leaving.leave')}
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
