import { Button } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { Note } from '../../parts/note.tsx';
import { ShownValue } from '../../parts/shown-value.tsx';
import { terminalOf, tokenLines } from '../../parts/trust/terminal-lines.ts';
import { apiTexts } from '../../texts/api.ts';

const words = apiTexts.added;

const OWNER_ID = 1;

/** What a client proves itself with, as it is shown once. */
export interface Shown {
  readonly name: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  readonly isNew: boolean;
}

/** The id and the secret of a client. Only *Done* closes it: nobody loses a secret by a slip. */
export function Credentials({ shown, onDone }: { readonly shown: Shown; readonly onDone: () => void }) {
  const { name, clientId, clientSecret, isNew } = shown;
  const status = useControl('status', {});
  const owner = useControl('accounts.get', { id: OWNER_ID });
  const terminal = status.data === undefined ? null : terminalOf(status.data, window.location);
  const line =
    terminal === null || owner.data === undefined
      ? null
      : tokenLines(terminal, { clientId, clientSecret, username: owner.data.username });
  return (
    <Dialog title={isNew ? words.title(name) : words.replacedTitle(name)} onClose={onDone} isFirm>
      <div className={styles.form}>
        <p>{clientSecret === null ? words.publicLead : words.lead}</p>
        <ShownValue label={words.id} value={clientId} />
        {clientSecret !== null && (
          <>
            <ShownValue label={words.secret} value={clientSecret} />
            <Note tone="care">{words.once}</Note>
          </>
        )}
        {clientSecret !== null && line !== null && (
          <div>
            <div className={styles.head}>
              <span className={styles.label}>{words.tryIt}</span>
              <CopyButton text={line} word={words.copyLine} size="xs" />
            </div>
            <pre className={styles.line}>{line}</pre>
            <p className={styles.help}>{words.tryHelp}</p>
          </div>
        )}
        <div className={styles.buttons}>
          <Button onClick={onDone}>{words.done}</Button>
        </div>
      </div>
    </Dialog>
  );
}
