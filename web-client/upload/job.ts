// The upload of one file.

export type UploadState = 'waiting' | 'sending' | 'paused' | 'sent' | 'failed' | 'cancelled';

export interface UploadJob<Target = unknown> {
  readonly file: File;
  /** The displayed name. */
  readonly name: string;
  /** The destination; its type depends on the kind of upload. */
  readonly target: Target;
  state: UploadState;
  /** A message about it; may be empty. */
  message: string;
  /** Bytes sent, and bytes stored by the server. */
  sent: number;
  stored: number;
  /** Attempts without progress. */
  attempts: number;
  /** Whether another attempt would fail in the same way. */
  isFinal: boolean;
  /** Whether this page refused it, so that it never began. */
  readonly isRefused: boolean;
  /** The server's id of the upload. */
  uploadId: string | null;
  /** The key under which this browser remembers the upload id; only for chunked uploads. */
  resumeKey: string | null;
  /** Whether the server may have a part of it. */
  isStarted: boolean;
}

/** @param refusal why it cannot be sent; null if it can */
export function createJob<Target>(
  source: { readonly file: File; readonly name: string; readonly target: Target },
  refusal: string | null,
): UploadJob<Target> {
  const isRefused = refusal !== null;
  return {
    file: source.file,
    name: source.name,
    target: source.target,
    state: isRefused ? 'failed' : 'waiting',
    message: refusal ?? '',
    sent: 0,
    stored: 0,
    attempts: 0,
    isFinal: isRefused,
    isRefused,
    uploadId: null,
    resumeKey: null,
    isStarted: false,
  };
}

/** Whether it is still in progress. */
export const isOpen = ({ state }: Pick<UploadJob, 'state'>): boolean =>
  state === 'waiting' || state === 'sending' || state === 'paused';

export const canRetry = ({ state, isFinal }: Pick<UploadJob, 'state' | 'isFinal'>): boolean =>
  state === 'failed' && !isFinal;

/** The earliest time that the server takes. */
const EARLIEST = -(2 ** 31);

/** What Chromium gives for the beginning of 1970, in milliseconds: that of 1601, from which Windows counts. */
const CHROMIUM_ZERO = Date.UTC(1601, 0);

/** The file's modification time, in seconds since 1970; scans of old photos may be dated before. */
export const modifiedSeconds = ({ lastModified }: File): number =>
  lastModified === CHROMIUM_ZERO ? 0 : Math.max(EARLIEST, Math.floor(lastModified / 1_000));
