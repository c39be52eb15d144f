// How far a backup is.

import { contentOf, type Photo } from './photo.ts';

export interface Progress {
  /** Whether all photos have been handled, and the receipt is asked for. */
  readonly isConfirming: boolean;
  /** Selected photos. */
  readonly total: number;
  /** Those that were read, or cannot be read. */
  readonly checked: number;
  readonly sent: number;
  /** Those that need not be sent. */
  readonly known: number;
  readonly failed: number;
  /** Bytes that were sent. */
  readonly sentBytes: number;
  /** From 0 to 1. */
  readonly part: number;
}

/** Photos that are stored. */
export const storedOf = ({ sent, known }: Progress): number => sent + known;

type Outcome = 'sent' | 'known' | 'failed';

/** What happened to photos of a batch so far that is still in progress. */
export interface InBatch {
  readonly sent: number;
  readonly known: number;
  readonly failed: number;
  readonly sentBytes: number;
}

const NOTHING: InBatch = { sent: 0, known: 0, failed: 0, sentBytes: 0 };

/** Counts the photos of a backup, of which each content is sent once. */
export class Tally {
  readonly #total: number;
  readonly #bytes: number;
  readonly #report: (progress: Progress) => void;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #counts: Record<Outcome, number> = { sent: 0, known: 0, failed: 0 };
  #checked = 0;
  #sentBytes = 0;
  /** Bytes of photos that were read, and of those that have been handled. */
  #checkedBytes = 0;
  #handledBytes = 0;

  constructor(photos: readonly Photo[], report: (progress: Progress) => void) {
    this.#total = photos.length;
    this.#bytes = sizeOf(photos);
    this.#report = report;
    this.show();
  }

  /** Whether its content has been handled. */
  has(photo: Photo): boolean {
    return this.#outcomes.has(contentOf(photo));
  }

  checked(photo: Photo): void {
    this.#checked += 1;
    this.#checkedBytes += photo.file.size;
    this.show();
  }

  /** Counts a batch. @param sent photos of it @param failed photos of it, beside those that cannot be read */
  handled(batch: readonly Photo[], sent: ReadonlySet<Photo>, failed: ReadonlySet<Photo>): void {
    for (const photo of batch) {
      const first = this.#outcomes.get(contentOf(photo));
      // A copy of a photo that was sent is there already.
      const outcome = first === undefined ? outcomeOf(photo, sent, failed) : first === 'sent' ? 'known' : first;
      if (photo.sha256 !== null && first === undefined) this.#outcomes.set(contentOf(photo), outcome);
      this.#counts[outcome] += 1;
      if (outcome === 'sent') this.#sentBytes += photo.file.size;
      this.#handledBytes += photo.file.size;
    }
    this.show();
  }

  show(now: InBatch = NOTHING, isConfirming = false): void {
    const counts = this.#counts;
    const done = this.#checkedBytes + this.#handledBytes + now.sentBytes;
    this.#report({
      isConfirming,
      total: this.#total,
      checked: this.#checked,
      sent: counts.sent + now.sent,
      known: counts.known + now.known,
      failed: counts.failed + now.failed,
      sentBytes: this.#sentBytes + now.sentBytes,
      part: this.#bytes === 0 ? 0 : Math.min(1, done / (2 * this.#bytes)),
    });
  }
}

function outcomeOf(photo: Photo, sent: ReadonlySet<Photo>, failed: ReadonlySet<Photo>): Outcome {
  if (photo.sha256 === null || failed.has(photo)) return 'failed';
  return sent.has(photo) ? 'sent' : 'known';
}

export const sizeOf = (photos: readonly Photo[]): number => photos.reduce((sum, { file }) => sum + file.size, 0);
