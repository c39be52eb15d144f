/** Kinds that people do to many files in a row. */
const GROUPED = [
  'file.created',
  'file.overwritten',
  'file.downloaded',
  'file.copied',
  'item.trashed',
  'item.restored',
  'item.removed',
] as const;

type GroupedKind = (typeof GROUPED)[number];

/** What is compared of an entry of the activity log. */
interface ActivityLine {
  readonly kind: string;
  /** ISO 8601, or milliseconds since the epoch. */
  readonly at: string | number;
  readonly accountId: number | null;
  readonly username: string | null;
  readonly channel: string;
  readonly client: string | null;
  readonly address: string | null;
  readonly subject: string;
}

/** Consecutive entries about several files in one folder, newest first. */
export interface EntryGroup<Entry extends ActivityLine> {
  readonly kind: GroupedKind;
  readonly entries: readonly [Entry, Entry, ...Entry[]];
  /** The virtual path of the folder. */
  readonly folder: string;
}

/** Milliseconds between the first and the last entry of a group at most. */
const SPAN = 3_600_000;

/**
 * Entries in their order, with consecutive ones of the same person, kind and folder, in the same way and within an hour, as one
 * group. Every entry is in the result once.
 */
export function groupEntries<Entry extends ActivityLine>(entries: readonly Entry[]): (Entry | EntryGroup<Entry>)[] {
  const runs: Entry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const newest = run?.[0];
    if (run !== undefined && newest !== undefined && belongsTo(newest, entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap<Entry | EntryGroup<Entry>>((run) => {
    const [first, second, ...others] = run;
    const kind = GROUPED.find((one) => one === first?.kind);
    if (first === undefined || second === undefined || kind === undefined) return run;
    return [{ kind, entries: [first, second, ...others] as const, folder: folderOf(first) }];
  });
}

export function isGroup<Entry extends ActivityLine>(one: Entry | EntryGroup<Entry>): one is EntryGroup<Entry> {
  return 'entries' in one;
}

function belongsTo(newest: ActivityLine, entry: ActivityLine): boolean {
  return (
    entry.username !== null &&
    entry.kind === newest.kind &&
    GROUPED.some((kind) => kind === entry.kind) &&
    entry.accountId === newest.accountId &&
    entry.username === newest.username &&
    entry.channel === newest.channel &&
    entry.client === newest.client &&
    entry.address === newest.address &&
    folderOf(entry) === folderOf(newest) &&
    new Date(newest.at).getTime() - new Date(entry.at).getTime() <= SPAN
  );
}

const folderOf = ({ subject }: ActivityLine): string => subject.slice(0, Math.max(0, subject.lastIndexOf('/')));

const PHOTO = /\.(?:jpe?g|png|gif|webp|heic|heif|avif|tiff?|dng|cr[23]|nef|arw)$/i;

/** Whether all entries of a group are about photos. */
export const arePhotos = ({ entries }: EntryGroup<ActivityLine>): boolean =>
  entries.every(({ subject }) => PHOTO.test(subject));
