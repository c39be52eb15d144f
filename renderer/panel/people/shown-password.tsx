import { Button } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import { forOthers } from '../../first-run/for-others.ts';
import { t } from '../../messages/messages.ts';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { Note } from '../../parts/note.tsx';
import { ShownValue } from '../../parts/shown-value.tsx';

interface ShownPasswordProps {
  readonly title: string;
  /** What it is passed on with. */
  readonly reason: 'invitation' | 'reset';
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly onDone: () => void;
}

/** A new password, shown once, and what its owner needs to sign in with it: only *Done* closes it. */
export function ShownPassword({ title, reason, name, username, password, onDone }: ShownPasswordProps) {
  const status = useControl('status', {});
  const settings = useControl('settings.get', {});
  const [address] = forOthers(status.data?.addresses ?? []);
  const trust = `${address?.replace(/\/$/, '')}/trust`;
  const isInvitation = reason === 'invitation';
  const household = settings.data?.householdName;
  const words = { name, household: household ?? '', address: address ?? '', username, password };
  const message = isInvitation ? t('people.add.invitation', { ...words, trust }) : t('people.password.message', words);
  return (
    <Dialog title={title} onClose={onDone} isFirm>
      <div className={styles.form}>
        {status.data !== undefined && address === undefined && <Note tone="care">{t('people.add.noAddress')}</Note>}
        {address !== undefined && (
          <>
            {isInvitation && <ShownValue label={t('people.add.newDevice')} value={trust} />}
            <ShownValue label={t('people.add.signInAt')} value={address} />
          </>
        )}
        <ShownValue label={t('people.add.shownUsername')} value={username} />
        <ShownValue label={t('people.add.shownPassword')} value={password} />
        <Note tone="care">{t('people.add.once')}</Note>
        <div className={styles.buttons}>
          {address !== undefined && household !== undefined && (
            <CopyButton
              text={message}
              word={t(isInvitation ? 'people.add.copyInvitation' : 'people.password.copyMessage')}
            />
          )}
          <Button onClick={onDone}>{t('people.add.done')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
