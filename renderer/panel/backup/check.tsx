import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { PasswordField } from '../../parts/forms/password-field.tsx';
import type { ListedBackup } from './backup.ts';

interface CheckProps {
  readonly listed: ListedBackup;
  readonly onCheck: (passphrase: string | null) => void;
  readonly onClose: () => void;
}

/** Explains the verification, and takes the passphrase to include the keys. */
export function Check({ listed, onCheck, onClose }: CheckProps) {
  const [passphrase, setPassphrase] = useState('');

  function submit(event: FormEvent): void {
    event.preventDefault();
    onCheck(passphrase === '' ? null : passphrase);
  }

  return (
    <Dialog title={t('backup.check.title', { name: listed.name })} onClose={onClose} width={440}>
      <form className={styles.form} onSubmit={submit}>
        <p>{t('backup.check.lead')}</p>
        {listed.backup?.keys === true && (
          <PasswordField
            label={t('backup.check.passphrase')}
            description={t('backup.check.passphraseHelp')}
            autoComplete="off"
            value={passphrase}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
          />
        )}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('backup.check.cancel')}
          </Button>
          <ActionButton>{t('backup.check.do')}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
