import { fileURLToPath } from 'node:url';
import type { Scratch } from './scratch.ts';

/** A process of ours that does one job after the other, so that its CPU is not that of the server. */
export interface Helper<Job, Result> {
  ask(job: Job): Promise<Result>;
}

interface Answer<Result> {
  readonly result?: Result;
  readonly error?: string;
}

/** @param program beside this file */
export function startHelper<Job extends object, Result>(
  scratch: Scratch,
  program: string,
  env: Record<string, string> = {},
): Helper<Job, Result> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const child = scratch.spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env });
  return {
    ask: (job) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error(`${program} has ended`));
        child.once('exit', ended);
        child.once('message', (answer: Answer<Result>) => {
          child.off('exit', ended);
          if (answer.error === undefined) resolve(answer.result as Result);
          else reject(new Error(answer.error));
        });
        child.send(job);
      }),
  };
}

/** The helper's side: answers every job with what `work` returns or throws. */
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', (job) => {
    work(job as Job).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
}
