/**
 * Why a job failed. `unsupported`: a kind that is not read here; `corrupt`: such a kind, but damaged; `gone`: moved or replaced;
 * `too_large`: more pixels or memory than allowed; `timeout` and `crashed`: its process was killed, or ended; `busy`: too many
 * jobs wait, or no process can be started; `stopped`: the server is closing.
 */
export const JOB_FAILURES = [
  'unsupported',
  'corrupt',
  'gone',
  'too_large',
  'timeout',
  'crashed',
  'busy',
  'stopped',
] as const;

export type JobFailure = (typeof JOB_FAILURES)[number];

/** The failure of one job. The message is for the log: it may quote a decoder's message about the bytes. */
export class JobError extends Error {
  readonly reason: JobFailure;

  constructor(reason: JobFailure, message: string) {
    super(message);
    this.name = 'JobError';
    this.reason = reason;
  }
}

/** A failure as a worker reports it. */
export function failureOf(error: unknown): { failure: JobFailure; detail: string } {
  return { failure: error instanceof JobError ? error.reason : 'crashed', detail: (error as Error).message };
}

/** The process of the job used more memory than was reserved for it, and was killed. */
export class OutgrownError extends JobError {
  constructor(message: string) {
    super('too_large', message);
    this.name = 'OutgrownError';
  }
}
