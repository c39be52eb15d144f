import {
  type Icon,
  IconArchive,
  IconFile,
  IconFolder,
  IconLink,
  IconLock,
  IconLockExclamation,
  IconPlug,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { activityTexts } from '../../texts/activity.ts';
import { settingNames } from '../../texts/setting-names.ts';

export type Entry = Output<'activity.list'>['entries'][number];

const FAILED = 'login.failed';

export const isFailure = ({ kind }: Entry) => kind === FAILED;

const GROUPS = { security: IconLock, files: IconFile, sharing: IconLink, system: IconSettings };
/** By what the kind begins with. */
const KINDS: Readonly<Record<string, Icon>> = {
  account: IconUsers,
  backup: IconArchive,
  authorization: IconPlug,
  client: IconPlug,
  group: IconUsers,
  home: IconFolder,
  folder: IconFolder,
  role: IconUsers,
  settings: IconSettings,
};

export function iconOf({ kind, group }: Entry): Icon {
  if (kind === FAILED) return IconLockExclamation;
  return KINDS[kind.slice(0, kind.indexOf('.'))] ?? GROUPS[group];
}

interface SentenceProps {
  readonly entry: Entry;
  /** Whether it says by which way it came, and from where. */
  readonly withOrigin?: boolean;
}

/** What happened, for people. */
export function Sentence({ entry, withOrigin = true }: SentenceProps) {
  const { kind, username, subject, client, address, door } = entry;
  const { verb, alone, subject: hasSubject, after } = activityTexts.words(kind);
  const isNamed = hasSubject !== false && subject !== '';
  const origins = [
    ...(door === 'link' ? [activityTexts.byLink] : []),
    ...(client !== null && client !== subject ? [activityTexts.through(client)] : []),
    ...(kind.startsWith('login.') && address !== null ? [activityTexts.from(address)] : []),
  ];
  return (
    <>
      {username !== null && (
        <>
          <strong>{username}</strong>{' '}
        </>
      )}
      {username === null ? (alone ?? verb) : verb}
      {isNamed && ' '}
      {isNamed && (
        <strong title={subject}>{kind === 'settings.changed' ? settingNames(subject) : shown(subject)}</strong>
      )}
      {after === undefined ? '' : ` ${after}`}
      {withOrigin && origins.map((origin) => `, ${origin}`)}
    </>
  );
}

/** A path without what all paths begin with; where whose it is matters, the sentence says so. */
function shown(subject: string): string {
  return subject.replace(/^\/ROOT\/HOME\/(?=.)/, '');
}
