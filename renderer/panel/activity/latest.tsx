import { Anchor } from '@mantine/core';
import { type EntryGroup, groupEntries, isGroup } from '../../../server/lib/activity-groups.ts';
import { useControl } from '../../control/control.tsx';
import { addressOf } from '../../control/routes.ts';
import { t } from '../../messages/messages.ts';
import { Note, reasonOf } from '../../parts/note.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import { Section } from '../../parts/section.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { type Entry, iconOf, isFailure, Sentence } from './entry.tsx';
import { GroupLine } from './group-line.tsx';
import styles from './latest.module.css';

/** Lines, and the entries that they are made of at most. */
const SHOWN = 6;
const READ_ROWS = 100;

/** The latest activity. */
export function LatestActivity() {
  const activity = useControl('activity.list', { limit: READ_ROWS }, { every: 10_000 });
  return (
    <Section
      title={t('overview.activity')}
      aside={<Anchor href={addressOf('activity')}>{t('overview.allActivity')}</Anchor>}
    >
      {activity.data === undefined && activity.error !== null && (
        <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => activity.refetch() }}>
          {t('overview.activityFailed')} {reasonOf(activity.error)}
        </Note>
      )}
      {activity.isPending && <Skeletons widths={[320, 260, 380, 220]} />}
      {activity.data?.entries.length === 0 && <Empty />}
      {activity.data !== undefined && activity.data.entries.length > 0 && (
        <ul className={styles.entries}>
          {groupEntries(activity.data.entries)
            .slice(0, SHOWN)
            .map((one) =>
              isGroup(one) ? <Group group={one} key={one.entries[0].id} /> : <Line entry={one} key={one.id} />,
            )}
        </ul>
      )}
    </Section>
  );
}

function Group({ group }: { readonly group: EntryGroup<Entry> }) {
  return (
    <li>
      <div className={styles.words}>
        <GroupLine group={group}>{(entry) => <Sentence entry={entry} />}</GroupLine>
      </div>
      <EmbeddedDate at={group.entries[0].at} />
    </li>
  );
}

function Line({ entry }: { readonly entry: Entry }) {
  const Picture = iconOf(entry);
  return (
    <li>
      <Picture size={18} stroke={1.75} aria-hidden {...(isFailure(entry) ? { className: styles.care } : {})} />
      <span className={styles.words}>
        <Sentence entry={entry} />
      </span>
      <EmbeddedDate at={entry.at} />
    </li>
  );
}

function Empty() {
  return (
    <div className={styles.empty}>
      <span className={styles.alcove} aria-hidden />
      <strong>{t('overview.activityEmpty')}</strong>
      <p>{t('overview.activityEmptyHelp')}</p>
    </div>
  );
}
