import { z } from 'zod';
import { JOB_FAILURES } from './job-error.ts';

/** The jobs of one kind of worker: name → what goes in, what comes out. */
export type Jobs = Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>;

export type InputOf<Table extends Jobs, Name extends keyof Table> = z.output<Table[Name]['input']>;
export type OutputOf<Table extends Jobs, Name extends keyof Table> = z.output<Table[Name]['output']>;

export interface JobRequest {
  readonly id: number;
  readonly job: string;
  readonly input: unknown;
}

/**
 * What a worker says: how much memory it has, in bytes, while it works, and at the end what became of the job. Read with
 * distrust, because the bytes that it decoded may have taken it over.
 */
export const workerMessage = z.union([
  z.object({ residentBytes: z.number() }),
  z.object({ id: z.int(), failure: z.enum(JOB_FAILURES), detail: z.string() }),
  z.object({ id: z.int(), output: z.unknown() }),
]);

export type WorkerMessage = z.input<typeof workerMessage>;
