import { Tooltip } from '@mantine/core';
import { size } from '../../amounts.ts';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { EmbeddedDate } from '../../parts/moment.tsx';
import { StatusDot } from '../../parts/status-dot.tsx';
import styles from '../../parts/table.module.css';
import { backupTexts } from '../../texts/backup.ts';
import type { ListedBackup } from './backup.ts';

const words = backupTexts.list;

interface BackupsTableProps {
  readonly backups: readonly ListedBackup[];
  readonly onPick: (kind: 'check' | 'restore' | 'remove', backup: ListedBackup) => void;
}

export function BackupsTable({ backups, onPick }: BackupsTableProps) {
  const { columns } = words;
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{columns.made}</th>
            <th scope="col">{columns.contents}</th>
            <th scope="col" className={`${styles.number} ${styles.wide}`}>
              {columns.size}
            </th>
            <th scope="col">{columns.checked}</th>
            <th scope="col">
              <span className={styles.unseen}>{words.actions}</span>
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
        {backup !== null && !own && <span className={styles.below}>{words.otherInstallation}</span>}
      </th>
      <td>{backup === null ? <span className={styles.quiet}>{words.unreadable}</span> : <Contents of={backup} />}</td>
      <td className={`${styles.number} ${styles.wide}`}>
        {backup !== null && (
          <Tooltip label={`${backup.bytes.toLocaleString('en-GB')} bytes`}>
            <span>{size(backup.bytes)}</span>
          </Tooltip>
        )}
      </td>
      <td>
        <Checked of={listed} />
      </td>
      <td className={styles.end}>
        <RowMenu
          label={words.actionsOf(name)}
          items={[
            { word: words.check, run: () => onPick('check', listed) },
            ...(backup === null ? [] : [{ word: words.restore, run: () => onPick('restore', listed) }]),
            { word: words.remove, run: () => onPick('remove', listed), isDanger: true },
          ]}
        />
      </td>
    </tr>
  );
}

function Contents({ of: { files, keys } }: { readonly of: NonNullable<ListedBackup['backup']> }) {
  const away = files?.homes.filter(({ state }) => state === 'offline').length ?? 0;
  const below = [keys ? words.keys : words.noKeys, ...(away === 0 ? [] : [words.homesAway(away)])];
  return (
    <>
      {files === null ? words.withoutFiles : words.withFiles(files.count, files.history)}
      <span className={styles.below}>{below.join(' · ')}</span>
    </>
  );
}

/** Whether it is whole, and since when that is known. */
function Checked({ of: { backup, checked } }: { readonly of: ListedBackup }) {
  const isDamaged = backup === null || (checked !== null && checked.problems.length > 0);
  return (
    <>
      <span className={styles.state}>
        <StatusDot tone={isDamaged ? 'danger' : 'good'} />
        {isDamaged ? words.damaged : words.whole}
      </span>
      {(checked !== null || backup !== null) && (
        <span className={styles.below}>{checked === null ? words.whenMade : <EmbeddedDate at={checked.at} />}</span>
      )}
    </>
  );
}
