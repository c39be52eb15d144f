// One file on its way to the server.

export type UploadState = 'waiting' | 'sending' | 'paused' | 'sent' | 'failed' | 'cancelled';

export interface UploadJob<Target = unknown> {
  readonly file: File;
  /** What people see. */
  readonly name: string;
  /** Where it goes; each kind of upload knows its own. */
  readonly target: Target;
  state: UploadState;
  /** What people are told about it; empty for nothing. */
  message: string;
  /** Bytes that have left, and bytes of them that the server has stored. */
  sent: number;
  stored: number;
  /** Attempts without progress. */
  attempts: number;
  /** Whether another attempt would fail in the same way. */
  isFinal: boolean;
  /** Whether it was refused on this page already, and never began. */
  readonly isRefused: boolean;
  /** What the server knows the upload by. */
  uploadId: string | null;
  /** What the upload id is remembered under in this browser; only uploads in chunks have one. */
  resumeKey: string | null;
  /** Whether the server may have something of it. */
  isStarted: boolean;
}

/** @param refusal why it cannot be sent; null when it can */
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

/** Whether it is still under way. */
export const isOpen = ({ state }: Pick<UploadJob, 'state'>): boolean =>
  state === 'waiting' || state === 'sending' || state === 'paused';

export const canRetry = ({ state, isFinal }: Pick<UploadJob, 'state' | 'isFinal'>): boolean =>
  state === 'failed' && !isFinal;

/** When the file was changed last, in seconds since 1970. */
export const modifiedSeconds = ({ lastModified }: File): number => Math.max(0, Math.floor(lastModified / 1_000));
