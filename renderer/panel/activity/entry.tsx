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
import { catalogue, type MessageKey, rich, t } from '../../messages/messages.ts';
import { settingNames } from './setting-names.ts';

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

type EntryKey = Extract<MessageKey, `activity.entry.${string}`>;

/** @returns null for kinds that are newer than this panel */
function keyOf(kind: string): Exclude<EntryKey, 'activity.entry.unknown'> | null {
  const key = `activity.entry.${kind}`;
  return Object.hasOwn(catalogue, key) ? (key as Exclude<EntryKey, 'activity.entry.unknown'>) : null;
}

/** What the entry is about, as shown. */
const subjectOf = ({ kind, subject }: Entry) => (kind === 'settings.changed' ? settingNames(subject) : shown(subject));

/** What happened, as plain text. */
export function plainSentence(entry: Entry): string {
  const { kind, username } = entry;
  const actor = username === null ? 'none' : 'person';
  const values = { actor, who: username ?? '', what: subjectOf(entry) };
  const key = keyOf(kind);
  return key === null ? t('activity.entry.unknown', { ...values, kind }) : t(key, values);
}

interface SentenceProps {
  readonly entry: Entry;
  /** Whether to show the app, link or address it came from. */
  readonly withOrigin?: boolean;
}

/** What happened, with names in bold. */
export function Sentence({ entry, withOrigin = true }: SentenceProps) {
  const { kind, username, subject, client, address, door } = entry;
  const values = {
    actor: username === null ? 'none' : 'person',
    who: <strong>{username}</strong>,
    what: <strong title={subject}>{subjectOf(entry)}</strong>,
  };
  const key = keyOf(kind);
  const sentence = <>{key === null ? rich('activity.entry.unknown', { ...values, kind }) : rich(key, values)}</>;
  if (!withOrigin) return sentence;
  return rich('activity.withOrigin', {
    sentence,
    door,
    hasApp: client !== null && client !== subject ? 'yes' : 'no',
    app: client ?? '',
    hasAddress: kind.startsWith('login.') && address !== null ? 'yes' : 'no',
    address: address ?? '',
  });
}

/** A path without what all paths begin with; where whose it is matters, the sentence says so. */
function shown(subject: string): string {
  return subject.replace(/^\/ROOT\/HOME\/(?=.)/, '');
}
