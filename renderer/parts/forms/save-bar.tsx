import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useKey } from '../../control/keys.ts';
import { askBeforeLeaving } from '../../control/leaving.ts';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../buttons/action-button.tsx';
import { Confirm } from '../dialogs/confirm.tsx';
import styles from './save-bar.module.css';

interface SaveBarProps {
  /** How many things are changed and not saved. */
  readonly changes: number;
  readonly isBusy: boolean;
  /** A word about when they take effect. */
  readonly effect?: string;
  /** In place of *Save changes*. */
  readonly word?: string;
  readonly onDiscard: () => void;
}

/** At the foot of a form of a page, inside of it: saving submits the form, also with Ctrl S. Leaving with changes asks. */
export function SaveBar({ changes, isBusy, effect, word = t('saveBar.save'), onDiscard }: SaveBarProps) {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const isChanged = changes > 0;
  const bar = useRef<HTMLDivElement>(null);
  useKey('mod+s', () => bar.current?.closest('form')?.requestSubmit(), { what: t('keys.actions.save') });
  useEffect(() => {
    if (!isChanged) return;
    return askBeforeLeaving((go) => setLeave(() => go));
  }, [isChanged]);
  return (
    <div className={`${styles.bar} ${isChanged ? styles.isChanged : ''}`} data-save-bar ref={bar}>
      <p role="status" className={styles.state}>
        {isChanged && (
          <>
            <span className={styles.dot} aria-hidden />
            <strong>{t('saveBar.changes', { count: changes })}</strong>
            {effect !== undefined && <span className={styles.effect}>{effect}</span>}
          </>
        )}
      </p>
      {isChanged && (
        <Button variant="default" onClick={onDiscard}>
          {t('saveBar.discard')}
        </Button>
      )}
      <ActionButton isBusy={isBusy}>{word}</ActionButton>
      {leave !== null && (
        <Confirm
          title={t('saveBar.leave')}
          loss={t('saveBar.leaveLoss', { count: changes })}
          word={t('saveBar.leaveDo')}
          keep={t('saveBar.stay')}
          change={{ isPending: false, error: null }}
          onDo={leave}
          onClose={() => setLeave(null)}
        />
      )}
    </div>
  );
}
