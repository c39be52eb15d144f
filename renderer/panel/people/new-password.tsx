import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { fullName, type Person } from './account.ts';
import { PasswordChoice, type PasswordWay, passwordInput } from './password-choice.tsx';
import { ShownPassword } from './shown-password.tsx';

const words = peopleTexts.password;

interface NewPasswordProps {
  readonly person: Pick<Person, 'id' | 'name' | 'lastName' | 'username'>;
  readonly onClose: () => void;
}

/** For somebody who forgot theirs. */
export function NewPassword({ person, onClose }: NewPasswordProps) {
  const [way, setWay] = useState<PasswordWay>('generate');
  const [typed, setTyped] = useState('');
  const [mustChange, setMustChange] = useState(true);
  const [isMissing, setMissing] = useState(false);
  const update = useControlChange('accounts.update', [
    'accounts.list',
    'accounts.get',
    'sessions.list',
    'activity.list',
  ]);

  if (update.data !== undefined && update.data.generatedPassword !== null) {
    return (
      <ShownPassword
        title={words.made(fullName(person))}
        username={person.username}
        password={update.data.generatedPassword}
        onDone={onClose}
      />
    );
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    setMissing(way === 'type' && typed === '');
    if (update.isPending || (way === 'type' && typed === '')) return;
    update.mutate(
      { id: person.id, requirePasswordChange: mustChange, ...passwordInput(way, typed) },
      { onSuccess: ({ generatedPassword }) => generatedPassword === null && onClose() },
    );
  }

  return (
    <Dialog title={words.title(fullName(person))} onClose={onClose} keepsOpen>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p>{words.lead}</p>
        <PasswordChoice
          ways={['generate', 'type']}
          way={way}
          onWay={setWay}
          typed={typed}
          onTyped={setTyped}
          isMissing={isMissing}
          error={update.error}
        />
        <SwitchRow
          label={peopleTexts.add.mustChange}
          help={peopleTexts.add.mustChangeHelp}
          checked={mustChange}
          onChange={setMustChange}
        />
        {way === 'generate' && <RefusalNote error={update.error} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {peopleTexts.add.cancel}
          </Button>
          <ActionButton isBusy={update.isPending}>{words.set}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
