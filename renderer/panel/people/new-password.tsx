import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { fullName, type Person } from './account.ts';
import { PasswordChoice, type PasswordWay, passwordInput } from './password-choice.tsx';
import { ShownPassword } from './shown-password.tsx';

interface NewPasswordProps {
  readonly person: Pick<Person, 'id' | 'name' | 'lastName' | 'username'>;
  readonly onClose: () => void;
}

/** Sets a new password for a person. */
export function NewPassword({ person, onClose }: NewPasswordProps) {
  const [way, setWay] = useState<PasswordWay>('generate');
  const [typed, setTyped] = useState('');
  const [mustChange, setMustChange] = useState(true);
  const [isMissing, setMissing] = useState(false);
  const update = useControlChange('accounts.update', [
    'accounts.list',
    'accounts.get',
    'sessions.list',
    'appPasswords.list',
    'activity.list',
  ]);

  if (update.data !== undefined && update.data.generatedPassword !== null) {
    return (
      <ShownPassword
        title={t('people.password.made', { name: fullName(person) })}
        reason="reset"
        name={person.name}
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
    <Dialog title={t('people.password.title', { name: fullName(person) })} onClose={onClose} keepsOpen>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p>{t('people.password.lead')}</p>
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
          label={t('people.add.mustChange')}
          help={t('people.add.mustChangeHelp')}
          checked={mustChange}
          onChange={setMustChange}
        />
        {way === 'generate' && <RefusalNote error={update.error} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('people.add.cancel')}
          </Button>
          <ActionButton isBusy={update.isPending}>{t('people.password.set')}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
