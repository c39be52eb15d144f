import {
  type Icon,
  IconFile,
  IconFolder,
  IconLink,
  IconLock,
  IconLockExclamation,
  IconPlug,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react';
import type { Output } from '../../server/control/contract/contract.ts';
import { useControl } from '../control/control.tsx';
import { Moment } from '../parts/moment.tsx';
import { Note, reasonOf } from '../parts/note.tsx';
import { Section } from '../parts/section.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { texts } from '../texts/texts.ts';
import styles from './activity.module.css';

const words = texts.overview;
const { activityEntry } = texts;

const FAILED = 'login.failed';

type Entry = Output<'activity.list'>['entries'][number];

const GROUPS = { security: IconLock, files: IconFile, sharing: IconLink, system: IconSettings };
/** By what the kind begins with. */
const KINDS: Readonly<Record<string, Icon>> = {
  account: IconUsers,
  authorization: IconPlug,
  client: IconPlug,
  group: IconUsers,
  home: IconFolder,
  folder: IconFolder,
  role: IconUsers,
  settings: IconSettings,
};

function iconOf({ kind, group }: Entry): Icon {
  if (kind === FAILED) return IconLockExclamation;
  return KINDS[kind.slice(0, kind.indexOf('.'))] ?? GROUPS[group];
}

/** The last of what happened. */
export function Activity() {
  const activity = useControl('activity.list', { limit: 6 }, { every: 10_000 });
  return (
    <Section title={words.activity}>
      {activity.data === undefined && activity.error !== null && (
        <Note tone="danger" action={{ word: texts.tryAgain, run: () => activity.refetch() }}>
          {words.activityFailed} {reasonOf(activity.error)}
        </Note>
      )}
      {activity.isPending && <Skeletons widths={[320, 260, 380, 220]} />}
      {activity.data?.entries.length === 0 && <Empty />}
      {activity.data !== undefined && activity.data.entries.length > 0 && (
        <ul className={styles.entries}>
          {activity.data.entries.map((entry) => (
            <Line entry={entry} key={entry.id} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Line({ entry }: { readonly entry: Entry }) {
  const isFailure = entry.kind === FAILED;
  const Picture = iconOf(entry);
  return (
    <li>
      <Picture size={18} stroke={1.75} aria-hidden {...(isFailure ? { className: styles.care } : {})} />
      <span className={styles.words}>
        <Sentence entry={entry} />
      </span>
      <Moment at={entry.at} />
    </li>
  );
}

function Sentence({ entry: { kind, username, subject, client, address, door } }: { readonly entry: Entry }) {
  const { verb, alone, subject: hasSubject, after } = activityEntry.words(kind);
  const isNamed = hasSubject !== false && subject !== '';
  const origins = [
    ...(door === 'link' ? [activityEntry.byLink] : []),
    ...(client !== null && client !== subject ? [activityEntry.through(client)] : []),
    ...(kind.startsWith('login.') && address !== null ? [activityEntry.from(address)] : []),
  ];
  return (
    <>
      {username !== null && (
        <>
          <strong>{username}</strong>{' '}
        </>
      )}
      {username === null ? (alone ?? verb) : verb}
      {isNamed && ` ${subject}`}
      {after === undefined ? '' : ` ${after}`}
      {origins.map((origin) => `, ${origin}`)}
    </>
  );
}

function Empty() {
  return (
    <div className={styles.empty}>
      <span className={styles.alcove} aria-hidden />
      <strong>{words.activityEmpty}</strong>
      <p>{words.activityEmptyHelp}</p>
    </div>
  );
}
