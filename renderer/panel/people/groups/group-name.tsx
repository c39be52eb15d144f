import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../../control/control.tsx';
import { t } from '../../../messages/messages.ts';
import { ActionButton } from '../../../parts/buttons/action-button.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import styles from '../../../parts/forms/form.module.css';
import { RefusalNote } from '../../../parts/note.tsx';
import { Refusal } from '../../../transport/transport.ts';
import type { Group } from './group.ts';

const STALE = ['groups.list', 'accounts.list', 'accounts.get', 'activity.list'] as const;

/** @param group null for a new one */
export function GroupName({ group, onClose }: { readonly group: Group | null; readonly onClose: () => void }) {
  const [name, setName] = useState(group?.name ?? '');
  const [isNameless, setNameless] = useState(false);
  const add = useControlChange('groups.add', STALE);
  const rename = useControlChange('groups.rename', STALE);
  const change = group === null ? add : rename;
  const problem = change.error instanceof Refusal && change.error.failure.field === 'name' ? change.error : null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setNameless(name.trim() === '');
    if (change.isPending || name.trim() === '') return;
    if (group === null) add.mutate({ name }, { onSuccess: onClose });
    else rename.mutate({ id: group.id, name }, { onSuccess: onClose });
  }

  return (
    <Dialog
      title={group === null ? t('people.groups.addTitle') : t('people.groups.renameTitle', { name: group.name })}
      onClose={onClose}
      keepsOpen
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        {problem === null && <RefusalNote error={change.error} />}
        <TextInput
          label={t('people.groups.name')}
          data-autofocus
          value={name}
          error={isNameless && name.trim() === '' ? t('people.groups.needed') : problem?.message}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('people.add.cancel')}
          </Button>
          <ActionButton isBusy={change.isPending}>
            {group === null ? t('people.groups.add') : t('people.groups.save')}
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
