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
import { bidiIsolate } from '../../../server/lib/text/bidi-isolate.ts';
import { catalogue, type MessageKey, rich, t } from '../../messages/messages.ts';
import { settingNames } from './setting-names.ts';
import { usePerson } from './use-person.ts';

export type Entry = Output<'activity.list'>['entries'][number];

const FAILED = 'login.failed';

export const isFailure = ({ kind }: Entry) => kind === FAILED;

const GROUPS = { security: IconLock, files: IconFile, sharing: IconLink, system: IconSettings };
/** By the prefix of the kind. */
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

/** @returns null for kinds unknown to this panel */
function keyOf(kind: string): Exclude<EntryKey, 'activity.entry.unknown'> | null {
  const key = `activity.entry.${kind}`;
  return Object.hasOwn(catalogue, key) ? (key as Exclude<EntryKey, 'activity.entry.unknown'>) : null;
}

/** The displayed subject of the entry. */
const subjectOf = ({ kind, subject }: Entry) => (kind === 'settings.changed' ? settingNames(subject) : shown(subject));

/** How many times it happened: wrong app passwords of an hour are one entry. One that happened once more is no plural. */
const attemptsOf = ({ details }: Entry) => (typeof details.attempts === 'number' ? details.attempts : 1);

/** The other items of a link to several. */
const furtherOf = ({ details }: Entry) => (typeof details.items === 'number' ? details.items - 1 : 0);

/** How many photos were added to an album, or taken out. */
const itemsOf = ({ details }: Entry) => (typeof details.items === 'number' ? details.items : 1);

/** With whom something was shared, or whether the person has left what another one shares. */
function toOf({ details: { to, left } }: Entry) {
  if (left === true) return { hasTo: 'left', to: '' };
  return typeof to === 'string' && to !== '' ? { hasTo: 'yes', to } : { hasTo: 'no', to: '' };
}

/** The entry as plain text. @param who the name of its person */
export function plainSentence(entry: Entry, who: string): string {
  const { kind, username } = entry;
  const actor = username === null ? 'none' : 'person';
  const counts = { attempts: attemptsOf(entry), further: furtherOf(entry), items: itemsOf(entry) };
  const values = { actor, who, what: subjectOf(entry), ...counts, ...toOf(entry) };
  const key = keyOf(kind);
  return key === null ? t('activity.entry.unknown', { ...values, kind }) : t(key, values);
}

interface SentenceProps {
  readonly entry: Entry;
  /** Whether to show the app, link or address it came from. */
  readonly withOrigin?: boolean;
}

/** The entry, with names in bold. */
export function Sentence({ entry, withOrigin = true }: SentenceProps) {
  const { kind, username, subject, client, address, channel } = entry;
  const { name } = usePerson(entry);
  const values = {
    actor: username === null ? 'none' : 'person',
    who: <strong title={username ?? ''}>{bidiIsolate(name)}</strong>,
    what: <strong title={bidiIsolate(subject)}>{bidiIsolate(subjectOf(entry))}</strong>,
    attempts: attemptsOf(entry),
    further: furtherOf(entry),
    items: itemsOf(entry),
    ...toOf(entry),
  };
  const key = keyOf(kind);
  const sentence = <>{key === null ? rich('activity.entry.unknown', { ...values, kind }) : rich(key, values)}</>;
  if (!withOrigin) return sentence;
  return rich('activity.withOrigin', {
    sentence,
    channel,
    hasApp: client !== null && client !== subject ? 'yes' : 'no',
    app: client ?? '',
    hasAddress: kind.startsWith('login.') && address !== null ? 'yes' : 'no',
    address: address ?? '',
  });
}

/** A path without the common prefix; where the owner matters, the sentence names them. */
function shown(subject: string): string {
  return subject.replace(/^\/ROOT\/HOME\/(?=.)/, '');
}
