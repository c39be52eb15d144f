/**
 * Why a job failed. `unsupported`: not of a kind that is read here; `corrupt`: of such a kind, and damaged; `gone`: not where it
 * was, or another file by now; `too_large`: more pixels or memory than it may take; `timeout` and `crashed`: its process had to
 * be ended, or ended; `busy`: too many jobs wait, or no process can be started for them; `stopped`: the server is being closed.
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

/** The failure of one job. The message is for the log: it may quote what a decoder says of the bytes. */
export class JobError extends Error {
  readonly reason: JobFailure;

  constructor(reason: JobFailure, message: string) {
    super(message);
    this.name = 'JobError';
    this.reason = reason;
  }
}

/** The process of the job took more memory than was reserved for it, and was ended. */
export class OutgrownError extends JobError {
  constructor(message: string) {
    super('too_large', message);
    this.name = 'OutgrownError';
  }
}
