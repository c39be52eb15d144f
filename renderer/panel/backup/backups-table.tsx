import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { size } from '../../amounts.ts';
import { Moment } from '../../parts/moment.tsx';
import { StatusDot } from '../../parts/status-dot.tsx';
import styles from '../../parts/table.module.css';
import { backupTexts } from '../../texts/backup.ts';
import type { ListedBackup } from './backup.ts';

const words = backupTexts.list;

interface BackupsTableProps {
  readonly backups: readonly ListedBackup[];
  /** While something is under way, nothing else can begin. */
  readonly isBusy: boolean;
  readonly onPick: (kind: 'check' | 'remove', backup: ListedBackup) => void;
}

export function BackupsTable({ backups, isBusy, onPick }: BackupsTableProps) {
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
            <Row key={one.name} listed={one} isBusy={isBusy} onPick={onPick} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Pick<BackupsTableProps, 'isBusy' | 'onPick'> {
  readonly listed: ListedBackup;
}

function Row({ listed, isBusy, onPick }: RowProps) {
  const { name, backup, own } = listed;
  return (
    <tr>
      <th scope="row">
        <strong>{backup === null ? name : <Moment at={backup.madeAt} />}</strong>
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
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={30} aria-label={words.actionsOf(name)}>
              <IconDots size={18} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={isBusy} onClick={() => onPick('check', listed)}>
              {words.check}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item className={styles.danger ?? ''} disabled={isBusy} onClick={() => onPick('remove', listed)}>
              {words.remove}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
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
        <span className={styles.below}>{checked === null ? words.whenMade : <Moment at={checked.at} />}</span>
      )}
    </>
  );
}
