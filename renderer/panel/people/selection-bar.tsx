import { Button, CloseButton } from '@mantine/core';
import { useState } from 'react';
import { bestEffort } from '../../../server/lib/async/settled.ts';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import type { AccountQuery } from './account.ts';
import styles from './people.module.css';
import { useAllIds } from './use-accounts.ts';

interface SelectionBarProps {
  readonly query: AccountQuery;
  readonly selected: ReadonlySet<number>;
  readonly total: number;
  readonly onSelect: (selected: ReadonlySet<number>) => void;
  readonly onRemove: () => void;
}

/** Actions on several people. */
export function SelectionBar({ query, selected, total, onSelect, onRemove }: SelectionBarProps) {
  const allIds = useAllIds(query);
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const update = useControlChange('accounts.updateMany', ['accounts.list', 'accounts.get', 'activity.list']);

  const set = (activated: boolean) =>
    update.mutate(
      { ids: [...selected], changes: { activated } },
      {
        onSuccess: ({ results }) => {
          const done = results.filter(({ success }) => success).length;
          say(t('people.list.updated', { done, failed: results.length - done }));
        },
      },
    );

  return (
    <div className={styles.selection}>
      <CloseButton size={28} iconSize={16} aria-label={t('people.list.clear')} onClick={() => onSelect(new Set())} />
      <strong role="status">{t('people.list.selected', { count: selected.size, total })}</strong>
      <ActionButton variant="default" size="xs" isBusy={update.isPending} onClick={() => set(true)}>
        {t('people.list.switchOn')}
      </ActionButton>
      <ActionButton variant="default" size="xs" isBusy={update.isPending} onClick={() => set(false)}>
        {t('people.list.switchOff')}
      </ActionButton>
      <Button variant="default" size="xs" className={styles.danger ?? ''} onClick={onRemove}>
        {t('people.list.remove')}
      </Button>
      {selected.size < total && (
        <ActionButton
          variant="subtle"
          size="xs"
          isBusy={isAsking}
          onClick={() => {
            setAsking(true);
            const chosen = allIds().then((ids) => onSelect(new Set(ids)));
            void bestEffort(chosen).then(() => setAsking(false));
          }}
        >
          {t('people.list.selectAll', { total })}
        </ActionButton>
      )}
      <RefusalNote error={update.error} />
    </div>
  );
}
