import { Tooltip } from '@mantine/core';
import { t } from '../../messages/messages.ts';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import { StatusDot } from '../../parts/status-dot.tsx';
import styles from '../../parts/table.module.css';
import { size } from '../../sizes.ts';
import type { ListedBackup } from './backup.ts';

interface BackupsTableProps {
  readonly backups: readonly ListedBackup[];
  readonly onPick: (kind: 'check' | 'restore' | 'remove', backup: ListedBackup) => void;
}

export function BackupsTable({ backups, onPick }: BackupsTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('backup.list.columns.made')}</th>
            <th scope="col">{t('backup.list.columns.contents')}</th>
            <th scope="col" className={`${styles.number} ${styles.wide}`}>
              {t('backup.list.columns.size')}
            </th>
            <th scope="col">{t('backup.list.columns.checked')}</th>
            <th scope="col">
              <span className={styles.unseen}>{t('backup.list.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.map((one) => (
            <Row key={one.name} listed={one} onPick={onPick} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Pick<BackupsTableProps, 'onPick'> {
  readonly listed: ListedBackup;
}

function Row({ listed, onPick }: RowProps) {
  const { name, backup, own } = listed;
  return (
    <tr>
      <th scope="row">
        <strong>{backup === null ? name : <EmbeddedDate at={backup.madeAt} />}</strong>
        {backup !== null && <span className={styles.below}>{name}</span>}
        {backup !== null && !own && <span className={styles.below}>{t('backup.list.otherInstallation')}</span>}
      </th>
      <td>
        {backup === null ? (
          <span className={styles.quiet}>{t('backup.list.unreadable')}</span>
        ) : (
          <Contents of={backup} />
        )}
      </td>
      <td className={`${styles.number} ${styles.wide}`}>
        {backup !== null && (
          <Tooltip label={t('size.exact', { bytes: backup.bytes })}>
            <span>{size(backup.bytes)}</span>
          </Tooltip>
        )}
      </td>
      <td>
        <Checked of={listed} />
      </td>
      <td className={styles.end}>
        <RowMenu
          label={t('backup.list.actionsOf', { name })}
          items={[
            { word: t('backup.list.check'), run: () => onPick('check', listed) },
            ...(backup === null ? [] : [{ word: t('backup.list.restore'), run: () => onPick('restore', listed) }]),
            { word: t('backup.list.remove'), run: () => onPick('remove', listed), isDanger: true },
          ]}
        />
      </td>
    </tr>
  );
}

function Contents({ of: { files, keys } }: { readonly of: NonNullable<ListedBackup['backup']> }) {
  const away = files?.homes.filter(({ state }) => state === 'offline').length ?? 0;
  const below = [
    keys ? t('backup.list.keys') : t('backup.list.noKeys'),
    ...(away === 0 ? [] : [t('backup.list.homesAway', { count: away })]),
  ];
  return (
    <>
      {files === null
        ? t('backup.list.withoutFiles')
        : t('backup.list.withFiles', { count: files.count, history: files.history ? 'yes' : 'no' })}
      <span className={styles.below}>{below.join(' · ')}</span>
    </>
  );
}

/** Whether it is intact, and when it was verified. Only a backup with the files of everyone is called complete. */
function Checked({ of: { backup, checked } }: { readonly of: ListedBackup }) {
  const isDamaged = backup === null || (checked !== null && checked.problems.length > 0);
  const isComplete = backup?.files?.homes.every(({ state }) => state === 'copied') === true;
  return (
    <>
      <span className={styles.state}>
        <StatusDot tone={isDamaged ? 'danger' : isComplete ? 'good' : 'care'} />
        {isDamaged ? t('backup.list.damaged') : isComplete ? t('backup.list.whole') : t('backup.list.partial')}
      </span>
      {(checked !== null || backup !== null) && (
        <span className={styles.below}>
          {checked === null ? t('backup.list.whenMade') : <EmbeddedDate at={checked.at} />}
        </span>
      )}
    </>
  );
}
