import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import styles from '../../parts/forms/form.module.css';
import { RefusalNote, reasonOf } from '../../parts/note.tsx';
import { Refusal } from '../../transport/transport.ts';
import { SettingGroup } from '../settings/settings-form.tsx';

/** Sends a test mail, and shows the mail server's own error message. */
export function TestMail() {
  const [to, setTo] = useState('');
  const [isMissing, setMissing] = useState(false);
  const test = useControlChange('mail.test', ['status']);
  const isOfField = test.error instanceof Refusal && test.error.failure.field === 'to';
  const send = () => {
    setMissing(to.trim() === '');
    if (!test.isPending && to.trim() !== '') test.mutate({ to: to.trim() });
  };
  return (
    <SettingGroup title={t('mail.test.title')}>
      <div className={styles.beside}>
        <TextInput
          type="email"
          label={t('mail.test.to')}
          description={t('mail.test.help')}
          value={to}
          error={
            isMissing && to.trim() === ''
              ? t('mail.test.needed')
              : isOfField && test.error !== null && reasonOf(test.error)
          }
          onChange={(event) => setTo(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Prevents the surrounding form from saving.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            send();
          }}
        />
        <ActionButton variant="default" isBusy={test.isPending} onClick={send}>
          {t('mail.test.do')}
        </ActionButton>
      </div>
      {!isOfField && <RefusalNote error={test.error} />}
      <p role="status" className={styles.inside}>
        {test.data !== undefined && !test.isPending && t('mail.test.sent', { to: test.data.to })}
      </p>
    </SettingGroup>
  );
}
