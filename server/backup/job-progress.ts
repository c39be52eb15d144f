import type { Throttle } from '../catalogue/reconcile/throttle.ts';
import type { Along } from '../storage/content/hashed-copy.ts';

type Phase = 'files' | 'database' | 'history' | 'verifying' | 'pruning' | 'removing';

/** The progress of a job. Bytes and files are those of the present phase. */
export interface Progress {
  readonly what: 'backup' | 'check' | 'removal' | 'restore';
  readonly phase: Phase;
  readonly doneFiles: number;
  readonly doneBytes: number;
  /** An estimate; null if unknown. */
  readonly totalBytes: number | null;
}

/** Milliseconds of work after which it pauses for requests. */
const REST_AFTER = 20;
const REPORT_INTERVAL = 250;

/** Accompanies a backup, a verification or a restore: progress, cancellation, and pauses for requests. */
export class JobProgress implements Along {
  readonly signal: AbortSignal;
  #progress: Progress;
  readonly #report: (progress: Progress) => void;
  readonly #throttle: Pick<Throttle, 'rest'> | null;
  #worked = performance.now();
  #told = 0;

  constructor({
    what,
    signal = new AbortController().signal,
    report = () => undefined,
    throttle = null,
  }: {
    what: Progress['what'];
    signal?: AbortSignal;
    report?: (progress: Progress) => void;
    throttle?: Pick<Throttle, 'rest'> | null;
  }) {
    this.signal = signal;
    this.#report = report;
    this.#throttle = throttle;
    this.#progress = { what, phase: 'files', doneFiles: 0, doneBytes: 0, totalBytes: null };
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** @throws the reason of the signal */
  begin(phase: Phase, totalBytes: number | null = null): void {
    this.signal.throwIfAborted();
    this.#progress = { ...this.#progress, phase, doneFiles: 0, doneBytes: 0, totalBytes };
    this.#told = performance.now();
    this.#report(this.#progress);
  }

  file(): void {
    this.#advance(1, 0);
  }

  readonly onBytes = async (bytes: number): Promise<void> => {
    this.#advance(0, bytes);
    await this.rest();
  };

  /** Bytes that need not be copied. */
  spared(bytes: number): void {
    this.#advance(0, bytes);
  }

  async rest(): Promise<void> {
    const worked = performance.now() - this.#worked;
    if (this.#throttle === null || worked < REST_AFTER) return;
    // Most of the work waits for disks. While there are requests, it pauses as long as it worked.
    await this.#throttle.rest(worked / 4, 0, this.signal);
    this.#worked = performance.now();
  }

  #advance(files: number, bytes: number): void {
    const { doneFiles, doneBytes, totalBytes } = this.#progress;
    const done = doneBytes + bytes;
    // Files added meanwhile were not in the estimate.
    const total = totalBytes === null ? null : Math.max(totalBytes, done);
    this.#progress = { ...this.#progress, doneFiles: doneFiles + files, doneBytes: done, totalBytes: total };
    if (performance.now() - this.#told < REPORT_INTERVAL) return;
    this.#told = performance.now();
    this.#report(this.#progress);
  }
}
