import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { Refusal } from '../../transport/transport.ts';
import type { Group } from './group.ts';

const words = peopleTexts.groups;
const STALE = ['groups.list', 'accounts.list', 'accounts.get', 'activity.list'] as const;

/** @param group null for one that is to be made */
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
    <Dialog title={group === null ? words.addTitle : words.renameTitle(group.name)} onClose={onClose} keepsOpen>
      <form className={styles.form} onSubmit={submit} noValidate>
        {problem === null && <RefusalNote error={change.error} />}
        <TextInput
          label={words.name}
          data-autofocus
          value={name}
          error={isNameless && name.trim() === '' ? words.needed : problem?.message}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {peopleTexts.add.cancel}
          </Button>
          <ActionButton isBusy={change.isPending}>{group === null ? words.add : words.save}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
