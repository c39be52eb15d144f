import { Button } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { Note } from '../../parts/note.tsx';
import { ShownValue } from '../../parts/shown-value.tsx';

interface ShownPasswordProps {
  readonly title: string;
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly onDone: () => void;
}

/** A generated password, shown once: only *Done* closes it. */
export function ShownPassword({ title, name, username, password, onDone }: ShownPasswordProps) {
  const status = useControl('status', {});
  const settings = useControl('settings.get', {});
  const [address] = status.data?.addresses ?? [];
  const invitation =
    address === undefined || settings.data === undefined
      ? null
      : t('people.add.invitation', {
          name,
          household: settings.data.householdName,
          trust: `${address.replace(/\/$/, '')}/trust`,
          address,
          username,
          password,
        });
  return (
    <Dialog title={title} onClose={onDone} isFirm>
      <div className={styles.form}>
        {address !== undefined && (
          <>
            <ShownValue label={t('people.add.newDevice')} value={`${address.replace(/\/$/, '')}/trust`} />
            <ShownValue label={t('people.add.signInAt')} value={address} />
          </>
        )}
        <ShownValue label={t('people.add.shownUsername')} value={username} />
        <ShownValue label={t('people.add.shownPassword')} value={password} />
        <Note tone="care">{t('people.add.once')}</Note>
        <div className={styles.buttons}>
          {invitation !== null && <CopyButton text={invitation} word={t('people.add.copyInvitation')} />}
          <Button onClick={onDone}>{t('people.add.done')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
