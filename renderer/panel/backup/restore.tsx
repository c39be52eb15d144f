import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { useDesktop, useDesktopChange } from '../../control/desktop.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { PasswordField } from '../../parts/forms/password-field.tsx';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { Note, RefusalNote } from '../../parts/note.tsx';
import { size } from '../../sizes.ts';
import { Refusal } from '../../transport/transport.ts';
import type { ListedBackup } from './backup.ts';
import listing from './backups.module.css';
import { inShell } from './in-shell.ts';
import lines from './restoring.module.css';
import { Work } from './work.tsx';

type Restored = Output<'backup.restore'>;

interface RestoreProps {
  readonly listed: ListedBackup;
  readonly onClose: () => void;
}

/** Restores a backup as another installation: folder, keys, progress and result. */
export function Restore({ listed, onClose }: RestoreProps) {
  const restore = useControlChange('backup.restore', ['backup.state', 'activity.list']);
  const state = useControl('backup.state', {});
  const isCancelled = useRef(false);
  const progress = state.data?.progress;
  const isUnderWay = restore.isPending && progress !== undefined && progress.what === 'restore';
  const { name } = listed;
  return (
    <Dialog
      title={restore.data === undefined ? t('backup.restoreHere.title', { name }) : t('backup.restoreHere.done')}
      onClose={onClose}
      keepsOpen
    >
      {restore.data !== undefined ? (
        <Result restored={restore.data} onClose={onClose} />
      ) : (
        <>
          {isUnderWay && (
            <Work
              progress={progress}
              onCancel={() => {
                isCancelled.current = true;
              }}
            />
          )}
          <div hidden={isUnderWay}>
            <Form
              listed={listed}
              isBusy={restore.isPending}
              error={isCancelled.current ? null : restore.error}
              onRestore={(requested) => {
                isCancelled.current = false;
                restore.mutate({ name, ...requested });
              }}
              onClose={onClose}
            />
          </div>
        </>
      )}
    </Dialog>
  );
}

interface Wanted {
  readonly folder: string;
  readonly passphrase?: string;
  readonly newAuthority: boolean;
}

interface FormProps extends RestoreProps {
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onRestore: (requested: Wanted) => void;
}

/** It stays mounted during the restore, so that the input is still there after an error. */
function Form({ listed, isBusy, error, onRestore, onClose }: FormProps) {
  const desktop = useDesktop();
  const [folder, setFolder] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [newAuthority, setNewAuthority] = useState(false);
  const [isTried, setTried] = useState(false);
  const hasKeys = listed.backup?.keys === true;
  const needsPassphrase = hasKeys && !newAuthority;
  const field = error instanceof Refusal ? error.failure.field : undefined;
  const problemOf = (name: string, isMissing: boolean, needed: string) =>
    isTried && isMissing ? needed : field === name && error !== null ? error.message : null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (isBusy || folder.trim() === '' || (needsPassphrase && passphrase === '')) return;
    onRestore({ folder: folder.trim(), newAuthority, ...(needsPassphrase ? { passphrase } : {}) });
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p>{t('backup.restoreHere.lead')}</p>
      {field !== 'folder' && field !== 'passphrase' && <RefusalNote error={error} />}
      <div className={desktop === null ? '' : styles.beside}>
        <TextInput
          label={t('backup.restoreHere.folder')}
          description={t('backup.restoreHere.folderHelp')}
          autoComplete="off"
          spellCheck={false}
          required
          // The window later opens only folders chosen in the system dialog.
          readOnly={desktop !== null}
          value={folder}
          error={problemOf('folder', folder.trim() === '', t('backup.restoreHere.needsFolder'))}
          onChange={(event) => setFolder(event.currentTarget.value)}
        />
        {desktop !== null && (
          <Button
            variant="default"
            onClick={() =>
              void desktop.invoke('desktop.chooseFolder', {}).then((look) => {
                if (look !== null) setFolder(look.folder);
              })
            }
          >
            {t('backup.restoreHere.choose')}
          </Button>
        )}
      </div>
      {hasKeys && (
        <>
          {!newAuthority && (
            <PasswordField
              label={t('backup.restoreHere.passphrase')}
              description={t('backup.restoreHere.passphraseHelp')}
              autoComplete="off"
              required
              value={passphrase}
              error={problemOf('passphrase', passphrase === '', t('backup.restoreHere.needsPassphrase'))}
              onChange={(event) => setPassphrase(event.currentTarget.value)}
            />
          )}
          <SwitchRow
            label={t('backup.restoreHere.withoutKeys')}
            help={t('backup.restoreHere.withoutKeysHelp')}
            checked={newAuthority}
            onChange={setNewAuthority}
          />
        </>
      )}
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('backup.restoreHere.cancel')}
        </Button>
        <ActionButton isBusy={isBusy}>{t('backup.restoreHere.do')}</ActionButton>
      </div>
    </form>
  );
}

/** The restored folder, and how to open it. */
function Result({ restored, onClose }: { readonly restored: Restored; readonly onClose: () => void }) {
  const { folder, household, files, bytes, authority, homes, damaged, notes } = restored;
  const desktop = useDesktop();
  const apart = homes.flatMap(({ files: state, username, path }) =>
    state === 'restored' ? [] : [{ state, username, path }],
  );
  const command = useControl('status', {}).data?.command ?? 'larder';
  const serve = `${command} serve --folder ${inShell(folder)}`;
  return (
    <div className={styles.form}>
      <p>{t('backup.restoreHere.is', { household, count: files, amount: size(bytes) })}</p>
      <p>
        <code>{folder}</code>
      </p>
      {authority === 'new' && <Note tone="care">{t('backup.restoreHere.newAuthority')}</Note>}
      {apart.length + notes.length > 0 && (
        <ul className={listing.notes}>
          {apart.map(({ username, path, state }) => (
            <li key={path}>
              {t(`backup.restoreHere.homes.${state}`, {
                who: username === '' ? path : username,
                path,
              })}
            </li>
          ))}
          {notes.map((text) => (
            <li key={text}>{text}</li>
          ))}
          {damaged.map(({ path, problem }) => (
            <li key={path}>
              <code>{path}</code>: {problem}
            </li>
          ))}
        </ul>
      )}
      <p>{desktop === null ? t('backup.restoreHere.next') : t('backup.restoreHere.nextInWindow')}</p>
      {desktop === null && (
        <div className={lines.line}>
          <code>{serve}</code>
          <CopyButton text={serve} name={t('backup.restore.copyServe')} size="xs" />
        </div>
      )}
      <div className={styles.buttons}>
        {desktop !== null && <OpenInstead folder={folder} />}
        <Button data-autofocus onClick={onClose}>
          {t('backup.restoreHere.close')}
        </Button>
      </div>
    </div>
  );
}

/** In the window: serves the restored folder instead of the present one. */
function OpenInstead({ folder }: { readonly folder: string }) {
  const use = useDesktopChange('desktop.useFolder');
  return (
    <>
      <RefusalNote error={use.error} />
      <ActionButton variant="default" isBusy={use.isPending} onClick={() => use.mutate({ folder })}>
        {t('backup.restoreHere.use')}
      </ActionButton>
    </>
  );
}
