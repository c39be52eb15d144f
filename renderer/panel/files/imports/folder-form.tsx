import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../../control/control.tsx';
import { useDesktop } from '../../../control/desktop.tsx';
import { t } from '../../../messages/messages.ts';
import { ActionButton } from '../../../parts/buttons/action-button.tsx';
import { useToast } from '../../../parts/dialogs/toasts.tsx';
import form from '../../../parts/forms/form.module.css';
import { RefusalNote } from '../../../parts/note.tsx';
import { Section } from '../../../parts/section.tsx';
import { Refusal } from '../../../transport/transport.ts';
import { type Person, PersonField } from '../../people/person-field.tsx';
import { ImportPlan } from './import-plan.tsx';
import styles from './photo-imports.module.css';

/** Where photos go, unless another folder is entered. */
const TARGET = 'Photos';

const fieldOf = (error: Error | null) => (error instanceof Refusal ? error.failure.field : undefined);

/** The folder, and for whom it is imported. It is examined before anything is stored. */
export function FolderForm() {
  const desktop = useDesktop();
  const say = useToast();
  const [folder, setFolder] = useState('');
  const [person, setPerson] = useState<Person | null>(null);
  const [target, setTarget] = useState(TARGET);
  const [folderAlbums, setFolderAlbums] = useState(false);
  const [isTried, setTried] = useState(false);
  const [isStopped, setStopped] = useState(false);
  const examine = useControlChange('imports.examine', []);
  const stop = useControlChange('imports.cancelExamination', []);
  const start = useControlChange('imports.start', ['imports.list', 'activity.list']);
  const error = start.error ?? (isStopped ? null : examine.error);
  const isBusy = examine.isPending;
  const problemOf = (name: string, missing: string | false) =>
    isTried && missing !== false ? missing : fieldOf(error) === name && error !== null ? error.message : null;

  /** What was found is of the folder and the person as they were. */
  function forget(): void {
    examine.reset();
    start.reset();
  }

  function check(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (isBusy || folder.trim() === '' || person === null) return;
    start.reset();
    setStopped(false);
    examine.mutate({ folder: folder.trim(), accountId: person.id, folderAlbums });
  }

  function begin(): void {
    if (person === null || examine.data === undefined) return;
    start.mutate(
      { folder: examine.data.folder, accountId: person.id, target: target.trim(), folderAlbums },
      {
        onSuccess() {
          say(t('photoImports.started'));
          setFolder('');
          setTried(false);
          forget();
        },
      },
    );
  }

  return (
    <Section title={t('photoImports.title')}>
      <form className={form.form} onSubmit={check} noValidate>
        <p className={styles.lead}>{t('photoImports.lead')}</p>
        {!['folder', 'accountId', 'target'].includes(fieldOf(error) ?? '') && <RefusalNote error={error} />}
        <div className={desktop === null ? '' : form.beside}>
          <TextInput
            label={t('photoImports.folder')}
            description={desktop === null ? t('photoImports.folderHelp') : t('photoImports.folderHelpInWindow')}
            autoComplete="off"
            spellCheck={false}
            value={folder}
            error={problemOf('folder', folder.trim() === '' && t('photoImports.needsFolder'))}
            onChange={(event) => {
              setFolder(event.currentTarget.value);
              forget();
            }}
          />
          {desktop !== null && (
            <Button
              variant="default"
              onClick={() =>
                void desktop.invoke('desktop.chooseFolder', {}).then((look) => {
                  if (look === null) return;
                  setFolder(look.folder);
                  forget();
                })
              }
            >
              {t('photoImports.choose')}
            </Button>
          )}
        </div>
        <div className={styles.two}>
          <PersonField
            label={t('photoImports.person')}
            description={t('photoImports.personHelp')}
            chosen={person}
            error={problemOf('accountId', person === null && t('photoImports.needsPerson'))}
            onChoose={(chosen) => {
              setPerson(chosen);
              forget();
            }}
          />
          <TextInput
            label={t('photoImports.target')}
            description={t('photoImports.targetHelp')}
            autoComplete="off"
            value={target}
            error={problemOf('target', false)}
            onChange={(event) => setTarget(event.currentTarget.value)}
          />
        </div>
        <Checkbox
          label={t('photoImports.folderAlbums')}
          description={t('photoImports.folderAlbumsHelp')}
          checked={folderAlbums}
          onChange={(event) => {
            setFolderAlbums(event.currentTarget.checked);
            forget();
          }}
        />
        {isBusy && (
          <p role="status" className={styles.lead}>
            {t('photoImports.checking')}
          </p>
        )}
        {examine.data !== undefined && <ImportPlan found={examine.data} />}
        <div className={form.buttons}>
          {isBusy && (
            <Button
              variant="default"
              onClick={() => {
                setStopped(true);
                stop.mutate({});
              }}
            >
              {t('photoImports.stopCheck')}
            </Button>
          )}
          {examine.data === undefined || examine.data.files === 0 ? (
            <ActionButton isBusy={isBusy}>{t('photoImports.check')}</ActionButton>
          ) : (
            <ActionButton isBusy={start.isPending} onClick={begin}>
              {t('photoImports.start')}
            </ActionButton>
          )}
        </div>
      </form>
    </Section>
  );
}
