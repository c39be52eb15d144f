import { Button, FileInput, Progress, Select } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../../server/control/contract/contract.ts';
import { useControlChange } from '../../../control/control.tsx';
import { t } from '../../../messages/messages.ts';
import { ActionButton } from '../../../parts/buttons/action-button.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import styles from '../../../parts/forms/form.module.css';
import { SwitchRow } from '../../../parts/forms/switch-row.tsx';
import { Note, RefusalNote } from '../../../parts/note.tsx';
import table from '../../../parts/table.module.css';
import { useSaveAs } from '../../../save-as.ts';
import { type Letters, lettersOf, readTable, TABLE_LETTERS } from './table-file.ts';
import { useImport } from './use-import.ts';

type Reviewed = Output<'accounts.import'>;
type Line = Reviewed['lines'][number];

/** Lines that are listed; the rest is counted. */
const LISTED = 200;

/** Imports people from a CSV file, after a preview. */
export function ImportPeople({ onClose }: { readonly onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [isUnread, setUnread] = useState(false);
  const [csv, setCsv] = useState('');
  const [letters, setLetters] = useState<Letters | null>(null);
  const [reviewed, setReviewed] = useState<Reviewed | null>(null);
  const [update, setUpdate] = useState(false);
  const [createHomeFolders, setHomes] = useState(true);
  const [generatePasswords, setPasswords] = useState(true);
  const check = useControlChange('accounts.import', []);
  const run = useImport();
  const saveAs = useSaveAs();
  const options = { update, createHomeFolders, generatePasswords };

  async function look(as = lettersOf(navigator.language)): Promise<void> {
    if (file === null || check.isPending) return;
    setUnread(false);
    const read = await readTable(file, as).catch(() => null);
    setLetters(read === null ? as : read.letters);
    if (read === null) return setUnread(true);
    setCsv(read.text);
    check.mutate({ csv: read.text, check: true, ...options }, { onSuccess: setReviewed });
  }

  function goBack(): void {
    setReviewed(null);
    check.reset();
  }

  if (run.isPending) return <Importing run={run} />;

  if (run.lines !== null) {
    const made = run.lines.filter(({ generatedPassword }) => generatedPassword !== null);
    return (
      <Dialog title={t('people.import.title')} onClose={onClose} isFirm={made.length > 0}>
        <div className={styles.form}>
          <p role="status">{t('people.import.was', counts(run.lines))}</p>
          {run.left > 0 && <Note tone="care">{t('people.import.left', { count: run.left })}</Note>}
          <RefusalNote error={run.error} />
          <Lines lines={run.lines} />
          {made.length > 0 && <Note tone="care">{t('people.import.once')}</Note>}
          <div className={styles.buttons}>
            {made.length > 0 && (
              <Button
                variant="default"
                onClick={() => saveAs(t('people.import.passwordsFile'), 'text/csv', passwordsCsv(made))}
              >
                {t('people.import.save')}
              </Button>
            )}
            <Button onClick={onClose}>{t('people.import.done')}</Button>
          </div>
        </div>
      </Dialog>
    );
  }

  if (reviewed !== null) {
    const { added, changed, refused } = counts(reviewed.lines);
    return (
      <Dialog title={t('people.import.title')} onClose={onClose} keepsOpen>
        <div className={styles.form}>
          <p role="status">{t('people.import.wouldBe', { added, changed, refused })}</p>
          <Lines lines={reviewed.lines} />
          {letters !== null && <LettersChoice letters={letters} onChoose={look} />}
          {isUnread && <Note tone="danger">{t('people.import.unread')}</Note>}
          <RefusalNote error={run.error} />
          <div className={styles.buttons}>
            <Button variant="default" onClick={goBack}>
              {t('people.import.back')}
            </Button>
            <ActionButton isDisabled={added + changed === 0} onClick={() => run.start({ csv, ...options })}>
              {t('people.import.do', { count: added + changed })}
            </ActionButton>
          </div>
        </div>
      </Dialog>
    );
  }

  return (
    <Dialog title={t('people.import.title')} onClose={onClose} keepsOpen>
      <div className={styles.form}>
        <p>{t('people.import.lead')}</p>
        <FileInput
          label={t('people.import.file')}
          description={t('people.import.columns')}
          accept=".csv,text/csv"
          value={file}
          onChange={setFile}
        />
        {isUnread && <Note tone="danger">{t('people.import.unread')}</Note>}
        {isUnread && letters !== null && <LettersChoice letters={letters} onChoose={look} />}
        <RefusalNote error={check.error} />
        <SwitchRow
          label={t('people.import.update')}
          help={t('people.import.updateHelp')}
          checked={update}
          onChange={setUpdate}
        />
        <SwitchRow
          label={t('people.import.homes')}
          help={t('people.add.homeHelp')}
          checked={createHomeFolders}
          onChange={setHomes}
        />
        <SwitchRow
          label={t('people.import.passwords')}
          help={t('people.import.passwordsHelp')}
          checked={generatePasswords}
          onChange={setPasswords}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('people.add.cancel')}
          </Button>
          <ActionButton isBusy={check.isPending} isDisabled={file === null} onClick={() => void look()}>
            {t('people.import.check')}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}

/** What the letters of a file are, which does not say so itself. */
function LettersChoice({
  letters,
  onChoose,
}: {
  readonly letters: Letters;
  readonly onChoose: (letters: Letters) => Promise<void>;
}) {
  return (
    <Select
      label={t('people.import.letters')}
      description={t('people.import.lettersHelp')}
      allowDeselect={false}
      data={TABLE_LETTERS.map((value) => ({ value, label: t(`people.import.codePages.${value}`) }))}
      value={letters}
      onChange={(picked) => picked !== null && void onChoose(picked as Letters)}
    />
  );
}

/** The progress; imported lines stay after cancelling. */
function Importing({ run }: { readonly run: ReturnType<typeof useImport> }) {
  const { done, total } = run;
  const said = t('people.import.progress', { done, total });
  return (
    <Dialog title={t('people.import.title')} onClose={run.cancel} isFirm>
      <div className={styles.form}>
        <p role="status">{said}</p>
        <Progress.Root>
          <Progress.Section
            value={total === 0 ? 0 : (100 * done) / total}
            aria-label={t('people.import.title')}
            aria-valuetext={said}
          />
        </Progress.Root>
        <div className={styles.buttons}>
          <Button variant="default" data-autofocus onClick={run.cancel}>
            {t('people.import.stop')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function counts(lines: readonly Line[]): Readonly<Record<Line['outcome'], number>> {
  const of = (outcome: Line['outcome']) => lines.filter((line) => line.outcome === outcome).length;
  return { added: of('added'), changed: of('changed'), refused: of('refused') };
}

/** Refused lines first, because they need action. */
function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const sorted = [...lines].sort((a, b) => Number(b.outcome === 'refused') - Number(a.outcome === 'refused'));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard
    <section className={styles.lines} aria-label={t('people.import.table.outcome')} tabIndex={0}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('people.import.table.line')}</th>
            <th scope="col">{t('people.import.table.who')}</th>
            <th scope="col">{t('people.import.table.outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, LISTED).map(({ line, username, name, role, hasHome, outcome, message }) => (
            <tr key={line}>
              <td>{line}</td>
              <td>
                {username}
                <span className={table.below}>
                  {[name, role, hasHome && t('people.import.home')].filter(Boolean).join(' · ')}
                </span>
              </td>
              <td>
                {t(`people.import.outcomes.${outcome}`)}
                {outcome === 'refused' && <span className={table.below}>{message}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > LISTED && (
        <p className={table.help}>{t('people.import.more', { count: lines.length - LISTED })}</p>
      )}
    </section>
  );
}

/** RFC 4180. */
function passwordsCsv(lines: readonly Line[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = lines.map(({ username, generatedPassword }) => `${cell(username)},${cell(generatedPassword ?? '')}`);
  return `username,password\r\n${rows.join('\r\n')}\r\n`;
}
