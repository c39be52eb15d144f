import { Button, FileInput, Progress } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControlChange } from '../../control/control.tsx';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { Note, RefusalNote } from '../../parts/note.tsx';
import table from '../../parts/table.module.css';
import { useSaveAs } from '../../save-as.ts';
import { peopleTexts } from '../../texts/people.ts';
import { useImport } from './use-import.ts';

const words = peopleTexts.import;

type Line = Output<'accounts.import'>['lines'][number];

/** Lines that are listed; the rest is counted. */
const LISTED = 200;

/** People from a CSV file: first what would happen, then it. */
export function ImportPeople({ onClose }: { readonly onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [isUnread, setUnread] = useState(false);
  const [csv, setCsv] = useState('');
  const [update, setUpdate] = useState(false);
  const [createHomeFolders, setHomes] = useState(true);
  const [generatePasswords, setPasswords] = useState(true);
  const check = useControlChange('accounts.import', []);
  const run = useImport();
  const saveAs = useSaveAs();
  const options = { update, createHomeFolders, generatePasswords };

  async function look(): Promise<void> {
    if (file === null || check.isPending) return;
    setUnread(false);
    const text = await file.text().catch(() => null);
    if (text === null) return setUnread(true);
    setCsv(text);
    check.mutate({ csv: text, check: true, ...options });
  }

  if (run.isPending) return <Importing run={run} />;

  if (run.lines !== null) {
    const made = run.lines.filter(({ generatedPassword }) => generatedPassword !== null);
    return (
      <Dialog title={words.title} onClose={onClose} isFirm={made.length > 0}>
        <div className={styles.form}>
          <p role="status">{words.was(...counts(run.lines))}</p>
          {run.left > 0 && <Note tone="care">{words.left(run.left)}</Note>}
          <RefusalNote error={run.error} />
          <Lines lines={run.lines} />
          {made.length > 0 && <Note tone="care">{words.once}</Note>}
          <div className={styles.buttons}>
            {made.length > 0 && (
              <Button variant="default" onClick={() => saveAs(words.passwordsFile, 'text/csv', passwordsCsv(made))}>
                {words.save}
              </Button>
            )}
            <Button onClick={onClose}>{words.done}</Button>
          </div>
        </div>
      </Dialog>
    );
  }

  if (check.data !== undefined) {
    const [added, changed, refused] = counts(check.data.lines);
    return (
      <Dialog title={words.title} onClose={onClose} keepsOpen>
        <div className={styles.form}>
          <p role="status">{words.wouldBe(added, changed, refused)}</p>
          <Lines lines={check.data.lines} />
          <RefusalNote error={run.error} />
          <div className={styles.buttons}>
            <Button variant="default" onClick={() => check.reset()}>
              {words.back}
            </Button>
            <ActionButton isDisabled={added + changed === 0} onClick={() => run.start({ csv, ...options })}>
              {words.do(added + changed)}
            </ActionButton>
          </div>
        </div>
      </Dialog>
    );
  }

  return (
    <Dialog title={words.title} onClose={onClose} keepsOpen>
      <div className={styles.form}>
        <p>{words.lead}</p>
        <FileInput
          label={words.file}
          description={words.columns}
          accept=".csv,text/csv"
          value={file}
          onChange={setFile}
        />
        {isUnread && <Note tone="danger">{words.unread}</Note>}
        <RefusalNote error={check.error} />
        <SwitchRow label={words.update} help={words.updateHelp} checked={update} onChange={setUpdate} />
        <SwitchRow
          label={words.homes}
          help={peopleTexts.add.homeHelp}
          checked={createHomeFolders}
          onChange={setHomes}
        />
        <SwitchRow
          label={words.passwords}
          help={words.passwordsHelp}
          checked={generatePasswords}
          onChange={setPasswords}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {peopleTexts.add.cancel}
          </Button>
          <ActionButton isBusy={check.isPending} isDisabled={file === null} onClick={() => void look()}>
            {words.check}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}

/** How far it is; what was imported stays when it is ended. */
function Importing({ run }: { readonly run: ReturnType<typeof useImport> }) {
  const { done, total } = run;
  const said = words.progress(done, total);
  return (
    <Dialog title={words.title} onClose={run.cancel} isFirm>
      <div className={styles.form}>
        <p role="status">{said}</p>
        <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={words.title} aria-valuetext={said} />
        <div className={styles.buttons}>
          <Button variant="default" data-autofocus onClick={run.cancel}>
            {words.stop}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function counts(lines: readonly Line[]): [added: number, changed: number, refused: number] {
  const of = (outcome: Line['outcome']) => lines.filter((line) => line.outcome === outcome).length;
  return [of('added'), of('changed'), of('refused')];
}

/** What was refused first: that is what somebody has to do something about. */
function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const sorted = [...lines].sort((a, b) => Number(b.outcome === 'refused') - Number(a.outcome === 'refused'));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too
    <section className={styles.lines} aria-label={words.table.outcome} tabIndex={0}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{words.table.line}</th>
            <th scope="col">{words.table.who}</th>
            <th scope="col">{words.table.outcome}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, LISTED).map(({ line, username, outcome, message }) => (
            <tr key={line}>
              <td>{line}</td>
              <td>{username}</td>
              <td>
                {words.outcomes[outcome]}
                {outcome === 'refused' && <span className={table.below}>{message}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > LISTED && <p className={table.help}>{words.more(lines.length - LISTED)}</p>}
    </section>
  );
}

/** RFC 4180. */
function passwordsCsv(lines: readonly Line[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = lines.map(({ username, generatedPassword }) => `${cell(username)},${cell(generatedPassword ?? '')}`);
  return `username,password\r\n${rows.join('\r\n')}\r\n`;
}
