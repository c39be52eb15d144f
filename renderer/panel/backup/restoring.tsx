import { useControl } from '../../control/control.tsx';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Section } from '../../parts/section.tsx';
import { backupTexts } from '../../texts/backup.ts';
import type { ListedBackup } from './backup.ts';
import { inShell } from './in-shell.ts';
import styles from './restoring.module.css';

const { restore: words } = backupTexts;

/** What to do to have the household again, with the very lines to type. @param newest null when there is no backup yet */
export function Restoring({ newest }: { readonly newest: ListedBackup | null }) {
  const { steps } = words;
  const hasKeys = newest === null || newest.backup?.keys === true;
  const from = newest === null ? words.backup : inShell(newest.path);
  const command = useControl('status', {}).data?.command ?? 'larder';
  const restore = `${command} restore --from ${from} --folder ${words.folder}${hasKeys ? ' --passphrase-stdin' : ''}`;
  return (
    <Section title={words.title}>
      <p className={styles.lead}>{words.lead}</p>
      <ol className={styles.steps}>
        <li>{steps.stop}</li>
        <li>
          {steps.run}
          <Line text={restore} what={words.lines.restore} />
        </li>
        {hasKeys && (
          <li>
            {steps.passphrase}
            <p className={styles.help}>{steps.lost}</p>
          </li>
        )}
        <li>
          {steps.start}
          <Line text={`${command} serve --folder ${words.folder}`} what={words.lines.serve} />
        </li>
        <li>{steps.look}</li>
      </ol>
    </Section>
  );
}

function Line({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className={styles.line}>
      <code>{text}</code>
      <CopyButton text={text} what={what} size="xs" />
    </div>
  );
}
