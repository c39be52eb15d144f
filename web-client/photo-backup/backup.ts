// Backs up selected photos: reads them, asks which are missing, sends those, and asks for the receipt.

import { t } from 'virtual:messages/photo-backup';
import { RequestError } from '../lib/requests.ts';
import { hashOf } from './hash.ts';
import { answerIn, contentOf, distinct, type Photo } from './photo.ts';
import { type Asking, askAll } from './questions.ts';
import { send } from './send.ts';

/** Where it is. */
export interface Progress {
  readonly phase: 'checking' | 'sending' | 'confirming';
  readonly done: number;
  readonly total: number;
  /** While photos are sent. */
  readonly sentBytes: number;
  readonly bytes: number;
}

interface Backup extends Asking {
  /** The path of the folder for new photos. */
  readonly folder: string;
  /** The path of the folder with everything that need not be sent again. */
  readonly home: string;
  readonly onProgress: (progress: Progress) => void;
}

/** How often photos get another name, when something else takes theirs. */
const ROUNDS = 5;

/**
 * Backs up photos; afterwards each has its answer, or none if it could not be read.
 * @throws RequestError when the server refuses, or the reason of the signal
 */
export async function backUp(photos: readonly Photo[], backup: Backup): Promise<void> {
  await read(photos, backup);
  let requested = await missingOf(distinct(photos), backup);
  for (let round = 0; requested.length > 0 && round < ROUNDS; round += 1) {
    const bytes = bytesOf(requested);
    const total = requested.length;
    const onProgress = (done: number, sentBytes: number) =>
      backup.onProgress({ phase: 'sending', done, total, sentBytes, bytes });
    onProgress(0, 0);
    const stillMissing = (some: readonly Photo[]) => missingOf(some, backup);
    requested = await missingOf(await send(requested, { ...backup, stillMissing, onProgress }), backup);
  }
  await confirm(photos, backup);
}

const bytesOf = (photos: readonly Photo[]): number => photos.reduce((sum, { file }) => sum + file.size, 0);

async function read(photos: readonly Photo[], { signal, onProgress }: Backup): Promise<void> {
  const total = photos.length;
  for (const [done, photo] of photos.entries()) {
    onProgress({ phase: 'checking', done, total, sentBytes: 0, bytes: 0 });
    try {
      photo.sha256 ??= await hashOf(photo.file, signal);
    } catch {
      signal.throwIfAborted();
      photo.reason = t('photoBackup.unreadable');
    }
  }
  onProgress({ phase: 'checking', done: total, total, sentBytes: 0, bytes: 0 });
}

const itemsOf = (photos: readonly Photo[]) =>
  photos.map(({ file, sha256 }, index) => ({ name: String(index), size: file.size, sha256 }));

async function missingOf(photos: readonly Photo[], backup: Backup): Promise<Photo[]> {
  if (photos.length === 0) return [];
  const missing = await askAll('missing', backup.home, itemsOf(photos), 'missing', backup);
  const names = new Set(missing.map((one) => (one as { name?: unknown } | null)?.name));
  return photos.filter((_, index) => names.has(String(index)));
}

async function confirm(photos: readonly Photo[], backup: Backup): Promise<void> {
  const asked = distinct(photos);
  backup.onProgress({ phase: 'confirming', done: 0, total: asked.length, sentBytes: 0, bytes: 0 });
  const answers = await askAll('receipt', backup.home, itemsOf(asked), 'items', backup);
  // An answer too few would confirm others.
  if (answers.length !== asked.length) throw new RequestError(0, t('photoBackup.waiting'));
  const found = new Map(asked.map((photo, index) => [contentOf(photo), answerIn(answers[index])]));
  for (const photo of photos) photo.answer = photo.sha256 === null ? null : (found.get(contentOf(photo)) ?? null);
}
