import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useKey } from '../../control/keys.ts';
import { askBeforeLeaving } from '../../control/leaving.ts';
import { keyTexts } from '../../texts/keys.ts';
import { texts } from '../../texts/texts.ts';
import { ActionButton } from '../buttons/action-button.tsx';
import { Confirm } from '../dialogs/confirm.tsx';
import styles from './save-bar.module.css';

const words = texts.saveBar;

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
export function SaveBar({ changes, isBusy, effect, word = words.save, onDiscard }: SaveBarProps) {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const isChanged = changes > 0;
  const bar = useRef<HTMLDivElement>(null);
  useKey('mod+s', () => bar.current?.closest('form')?.requestSubmit(), { what: keyTexts.list.keys.save });
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
            <strong>{words.changes(changes)}</strong>
            {effect !== undefined && <span className={styles.effect}>{effect}</span>}
          </>
        )}
      </p>
      {isChanged && (
        <Button variant="default" onClick={onDiscard}>
          {words.discard}
        </Button>
      )}
      <ActionButton isBusy={isBusy}>{word}</ActionButton>
      {leave !== null && (
        <Confirm
          title={words.leave}
          loss={words.leaveLoss(changes)}
          word={words.leaveDo}
          keep={words.stay}
          change={{ isPending: false, error: null }}
          onDo={leave}
          onClose={() => setLeave(null)}
        />
      )}
    </div>
  );
}
