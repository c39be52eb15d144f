import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Section } from '../../parts/section.tsx';
import type { ListedBackup } from './backup.ts';
import { inShell } from './in-shell.ts';
import styles from './restoring.module.css';

/** Instructions to restore the household, with commands. @param newest null when there is no backup yet */
export function Restoring({ newest }: { readonly newest: ListedBackup | null }) {
  const hasKeys = newest === null || newest.backup?.keys === true;
  const from = newest === null ? t('backup.restore.backup') : inShell(newest.path);
  const command = useControl('status', {}).data?.command ?? 'larder';
  const restore = `${command} restore --from ${from} --folder ${t('backup.restore.folder')}${hasKeys ? ' --passphrase-stdin' : ''}`;
  return (
    <Section title={t('backup.restore.title')}>
      <p className={styles.lead}>{t('backup.restore.lead')}</p>
      <ol className={styles.steps}>
        <li>{t('backup.restore.steps.stop')}</li>
        <li>
          {t('backup.restore.steps.run')}
          <Line text={restore} name={t('backup.restore.copyRestore')} />
        </li>
        {hasKeys && (
          <li>
            {t('backup.restore.steps.passphrase')}
            <p className={styles.help}>{t('backup.restore.steps.lost')}</p>
          </li>
        )}
        <li>
          {t('backup.restore.steps.start')}
          <Line text={`${command} serve --folder ${t('backup.restore.folder')}`} name={t('backup.restore.copyServe')} />
        </li>
        <li>{t('backup.restore.steps.look')}</li>
      </ol>
    </Section>
  );
}

function Line({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <div className={styles.line}>
      <code>{text}</code>
      <CopyButton text={text} name={name} size="xs" />
    </div>
  );
}
