import { z } from 'zod';
import { JOB_FAILURES } from './job-error.ts';

/** The jobs of one kind of worker: name → input and output. */
export type Jobs = Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>;

export type InputOf<Table extends Jobs, Name extends keyof Table> = z.output<Table[Name]['input']>;
export type OutputOf<Table extends Jobs, Name extends keyof Table> = z.output<Table[Name]['output']>;

export interface JobRequest {
  readonly id: number;
  readonly job: string;
  readonly input: unknown;
}

/**
 * A message from a worker: its memory in bytes during a job, and finally the result. It is not trusted, because the decoded bytes
 * may have taken the worker over.
 */
export const workerMessage = z.union([
  z.object({ residentBytes: z.number() }),
  z.object({ id: z.int(), failure: z.enum(JOB_FAILURES), detail: z.string() }),
  z.object({ id: z.int(), output: z.unknown() }),
]);

export type WorkerMessage = z.input<typeof workerMessage>;
