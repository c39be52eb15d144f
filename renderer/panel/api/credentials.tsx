import { Button } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { Note } from '../../parts/note.tsx';
import { ShownValue } from '../../parts/shown-value.tsx';
import { terminalOf, tokenLines } from '../../parts/trust/terminal-lines.ts';

const OWNER_ID = 1;

/** The credentials of a client, which are shown once. */
export interface Shown {
  readonly name: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  readonly isNew: boolean;
}

/** The id and secret of a client. Only *Done* closes it, so that no secret is lost by accident. */
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
    <Dialog
      title={isNew ? t('panelApi.added.title', { name }) : t('panelApi.added.replacedTitle', { name })}
      onClose={onDone}
      isFirm
    >
      <div className={styles.form}>
        <p>{clientSecret === null ? t('panelApi.added.publicLead') : t('panelApi.added.lead')}</p>
        <ShownValue label={t('panelApi.added.id')} value={clientId} />
        {clientSecret !== null && (
          <>
            <ShownValue label={t('panelApi.added.secret')} value={clientSecret} />
            <Note tone="care">{t('panelApi.added.once')}</Note>
          </>
        )}
        {clientSecret !== null && line !== null && (
          <div>
            <div className={styles.head}>
              <span className={styles.label}>{t('panelApi.added.tryIt')}</span>
              <CopyButton text={line} word={t('panelApi.added.copyLine')} size="xs" />
            </div>
            <pre className={styles.line}>{line}</pre>
            <p className={styles.help}>{t('panelApi.added.tryHelp')}</p>
          </div>
        )}
        <div className={styles.buttons}>
          <Button onClick={onDone}>{t('panelApi.added.done')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
