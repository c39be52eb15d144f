// Backs up selected photos, some at a time: reads them, asks which are missing, and sends those. At the end, asks for the receipt.

import { t } from 'virtual:messages/photo-backup';
import { RequestError } from '../lib/requests.ts';
import { hashOf } from './hash.ts';
import { answerIn, contentOf, distinct, type Photo } from './photo.ts';
import { partnersOf, placesOf } from './places.ts';
import { type Progress, sizeOf, Tally } from './progress.ts';
import { type Asking, askAll } from './questions.ts';
import { send } from './send.ts';
import { groupsOf, type Together } from './together.ts';

interface Backup extends Asking {
  /** The path of the folder for new photos. */
  readonly folder: string;
  /** The path of the folder with everything that need not be sent again. */
  readonly home: string;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Photos and bytes of one batch, unless photos that belong together are more. To read thousands takes a phone so long that it may have closed the page
 * before anything is safe; and what was asked about thousands may no longer be true when the last of them are sent.
 */
const BATCH = 50;
const BATCH_BYTES = 128 * 1024 ** 2;

/** How often photos get another name, when something else takes theirs. */
const ROUNDS = 5;

/**
 * Backs up photos; afterwards each has its answer, or none if it could not be read.
 * @throws RequestError when the server refuses, or the reason of the signal
 */
export async function backUp(photos: readonly Photo[], backup: Backup): Promise<void> {
  const tally = new Tally(photos, backup.onProgress);
  for (const groups of batchesOf(groupsOf(photos))) {
    const batch = photosIn(groups);
    await read(batch, backup.signal, tally);
    const fresh = distinct(batch).filter((photo) => !tally.has(photo));
    const { sent, failed } = await sendMissing(fresh, groups, backup, tally);
    tally.handled(batch, sent, failed);
  }
  tally.show(undefined, true);
  await confirm(photos, backup);
}

const photosIn = (groups: readonly Together[]): Photo[] => groups.flatMap(({ photos }) => photos);

function* batchesOf(groups: readonly Together[]): Generator<readonly Together[]> {
  let batch: Together[] = [];
  for (const group of groups) {
    const all = photosIn([...batch, group]);
    if (batch.length > 0 && (all.length > BATCH || sizeOf(all) > BATCH_BYTES)) {
      yield batch;
      batch = [];
    }
    batch.push(group);
  }
  if (batch.length > 0) yield batch;
}

async function read(batch: readonly Photo[], signal: AbortSignal, tally: Tally): Promise<void> {
  for (const photo of batch) {
    try {
      photo.sha256 ??= await hashOf(photo.file, signal);
    } catch {
      signal.throwIfAborted();
      photo.reason = t('photoBackup.unreadable');
    }
    tally.checked(photo);
  }
}

/** @returns the photos that were sent, and those that could not be stored */
async function sendMissing(fresh: readonly Photo[], groups: readonly Together[], backup: Backup, tally: Tally) {
  const [sent, failed] = [new Set<Photo>(), new Set<Photo>()];
  let requested = await missingOf(fresh, backup);
  for (let round = 0; requested.length > 0 && round < ROUNDS; round += 1) {
    const before = { sent: sent.size, failed: failed.size, sentBytes: sizeOf([...sent]) };
    const known = fresh.length - requested.length - before.sent - before.failed;
    const onProgress = (now: { readonly sent: number; readonly failed: number; readonly sentBytes: number }) =>
      tally.show({
        known,
        sent: before.sent + now.sent,
        failed: before.failed + now.failed,
        sentBytes: before.sentBytes + now.sentBytes,
      });
    onProgress({ sent: 0, failed: 0, sentBytes: 0 });
    const places = await placesFor(requested, groups, backup);
    const result = await send(requested, { ...backup, places, onProgress });
    for (const photo of result.sent) sent.add(photo);
    for (const photo of result.failed) failed.add(photo);
    requested = await missingOf(result.again, backup);
  }
  for (const photo of requested) failed.add(photo);
  return { sent, failed };
}

/** Where photos are to be stored: in each round anew, because one of two may be stored by now. */
async function placesFor(requested: readonly Photo[], groups: readonly Together[], backup: Backup) {
  const partners = partnersOf(groups, new Set(requested));
  if (partners.length === 0) return placesOf(groups, new Map(), backup.folder);
  const here = await storedIn(backup.folder, partners, backup).catch((error) => {
    // The folder is made for the first photo.
    if (error instanceof RequestError && error.status === 404) return new Map<Photo, string>();
    throw error;
  });
  const others = partners.filter((photo) => !here.has(photo));
  return placesOf(groups, new Map([...here, ...(await storedIn(backup.home, others, backup))]), backup.folder);
}

/** The paths of those photos that are stored below a folder. */
async function storedIn(folder: string, photos: readonly Photo[], backup: Backup): Promise<Map<Photo, string>> {
  const answers = await receiptOf(folder, photos, backup);
  return new Map(
    photos.flatMap((photo, index) => {
      const { isStored, path } = answers[index] ?? answerIn(null);
      return isStored && path !== '' ? [[photo, path]] : [];
    }),
  );
}

const itemsOf = (photos: readonly Photo[]) =>
  photos.map(({ file, sha256 }, index) => ({ name: String(index), size: file.size, sha256 }));

async function missingOf(photos: readonly Photo[], backup: Backup): Promise<Photo[]> {
  if (photos.length === 0) return [];
  const missing = await askAll('missing', backup.home, itemsOf(photos), 'missing', backup);
  const names = new Set(missing.map((one) => (one as { name?: unknown } | null)?.name));
  return photos.filter((_, index) => names.has(String(index)));
}

async function receiptOf(folder: string, photos: readonly Photo[], backup: Backup) {
  const answers = await askAll('receipt', folder, itemsOf(photos), 'items', backup);
  // An answer too few would confirm others.
  if (answers.length !== photos.length) throw new RequestError(0, t('photoBackup.waiting'));
  return answers.map(answerIn);
}

async function confirm(photos: readonly Photo[], backup: Backup): Promise<void> {
  const asked = distinct(photos);
  const answers = await receiptOf(backup.home, asked, backup);
  const found = new Map(asked.map((photo, index) => [contentOf(photo), answers[index] ?? null]));
  for (const photo of photos) photo.answer = photo.sha256 === null ? null : (found.get(contentOf(photo)) ?? null);
}
