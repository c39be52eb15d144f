import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useKey } from '../../control/keys.ts';
import { askBeforeLeaving } from '../../control/unsaved-changes.ts';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../buttons/action-button.tsx';
import { Confirm } from '../dialogs/confirm.tsx';
import styles from './save-bar.module.css';

interface SaveBarProps {
  /** The number of unsaved changes. */
  readonly changes: number;
  readonly isBusy: boolean;
  /** A remark on when they take effect. */
  readonly effect?: string;
  /** Replaces *Save changes*. */
  readonly label?: string;
  readonly onDiscard: () => void;
}

/** The bottom bar inside of a page's form: saving submits the form, also with Ctrl S. Leaving with unsaved changes asks first. */
export function SaveBar({ changes, isBusy, effect, label = t('saveBar.save'), onDiscard }: SaveBarProps) {
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
      <ActionButton isBusy={isBusy}>{label}</ActionButton>
      {leave !== null && (
        <Confirm
          title={t('saveBar.leave')}
          loss={t('saveBar.leaveLoss', { count: changes })}
          label={t('saveBar.leaveDo')}
          keep={t('saveBar.stay')}
          change={{ isPending: false, error: null }}
          onDo={leave}
          onClose={() => setLeave(null)}
        />
      )}
    </div>
  );
}
