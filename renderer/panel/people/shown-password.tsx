import { Button } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { Note } from '../../parts/note.tsx';
import { ShownValue } from '../../parts/shown-value.tsx';
import { peopleTexts } from '../../texts/people.ts';

const words = peopleTexts.add;

interface ShownPasswordProps {
  readonly title: string;
  readonly username: string;
  readonly password: string;
  readonly onDone: () => void;
}

/** A password that was made, shown once: only *Done* closes it. */
export function ShownPassword({ title, username, password, onDone }: ShownPasswordProps) {
  const status = useControl('status', {});
  const [address] = status.data?.addresses ?? [];
  return (
    <Dialog title={title} onClose={onDone} isFirm>
      <div className={styles.form}>
        {address !== undefined && <ShownValue label={words.signInAt} value={address} />}
        <ShownValue label={words.username_} value={username} />
        <ShownValue label={words.password_} value={password} />
        <Note tone="care">{words.once}</Note>
        <div className={styles.buttons}>
          <Button onClick={onDone}>{words.done}</Button>
        </div>
      </div>
    </Dialog>
  );
}
