import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { Note, RefusalNote } from '../../parts/note.tsx';
import { size } from '../../sizes.ts';
import { fullName, type Person } from './account.ts';

const STALE = ['accounts.list', 'accounts.get', 'groups.list', 'roles.list', 'homes.list', 'activity.list'] as const;

interface RemovePersonProps {
  readonly person: Pick<Person, 'id' | 'name' | 'lastName' | 'username' | 'usedBytes'>;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Deletes a person; deleting the files too requires typing the name. */
export function RemovePerson({ person, onClose, onRemoved }: RemovePersonProps) {
  const [withFiles, setWithFiles] = useState(false);
  const [typed, setTyped] = useState('');
  const remove = useControlChange('accounts.remove', STALE);
  const failed = remove.data?.results.find(({ success, message }) => !success || message !== 'Removed.');
  const isTyped = !withFiles || typed.trim() === person.username;
  return (
    <Dialog title={t('people.remove.title', { name: fullName(person) })} onClose={onClose} width={440}>
      <div className={styles.form}>
        <p>{t('people.remove.loss')}</p>
        <RefusalNote error={remove.error} />
        {failed !== undefined && <Note tone="danger">{failed.message}</Note>}
        <Checkbox
          label={t('people.remove.files', { amount: size(person.usedBytes) })}
          checked={withFiles}
          onChange={(event) => setWithFiles(event.currentTarget.checked)}
        />
        {withFiles && (
          <TextInput
            label={t('people.remove.type', { name: person.username })}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <div className={styles.buttons}>
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('people.remove.keep', { name: person.name })}
          </Button>
          <ActionButton
            variant="danger"
            isBusy={remove.isPending}
            isDisabled={!isTyped}
            onClick={() =>
              remove.mutate(
                { ids: [person.id], deleteHomeFolder: withFiles },
                { onSuccess: ({ results }) => results.every(({ message }) => message === 'Removed.') && onRemoved() },
              )
            }
          >
            {t('people.remove.do')}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}

interface RemoveManyProps {
  readonly ids: readonly number[];
  readonly onClose: () => void;
}

export function RemoveMany({ ids, onClose }: RemoveManyProps) {
  const remove = useControlChange('accounts.remove', STALE);
  const failed = remove.data?.results.filter(({ success }) => !success) ?? [];
  return (
    <Dialog title={t('people.remove.titleMany', { count: ids.length })} onClose={onClose} width={440}>
      <div className={styles.form}>
        <p>{t('people.remove.loss')}</p>
        <RefusalNote error={remove.error} />
        {failed.length > 0 && (
          <Note tone="danger">{[...new Set(failed.map(({ message }) => message))].slice(0, 5).join(' ')}</Note>
        )}
        <div className={styles.buttons}>
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('people.remove.keepMany')}
          </Button>
          <ActionButton
            variant="danger"
            isBusy={remove.isPending}
            onClick={() =>
              remove.mutate(
                { ids: [...ids] },
                { onSuccess: ({ results }) => results.every(({ success }) => success) && onClose() },
              )
            }
          >
            {t('people.remove.do')}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}
