import { failureOf } from './job-error.ts';
import type { InputOf, JobRequest, Jobs, OutputOf, WorkerMessage } from './protocol.ts';
import { openWorkerChannel } from './worker-channel.ts';

type Handlers<Table extends Jobs> = {
  readonly [Name in keyof Table]: (input: InputOf<Table, Name>) => Promise<OutputOf<Table, Name>>;
};

/** Milliseconds between two memory reports, for systems where the server cannot measure it. */
const REPORT_EVERY = 50;

/** The worker's side: runs jobs one after the other, until the channel to the server closes. */
export function answerJobs<Table extends Jobs>(jobs: Table, handlers: Handlers<Table>): void {
  const channel = openWorkerChannel();
  const post = (message: WorkerMessage) => channel.post(message);
  // Ctrl+C in a terminal also signals the workers, but the server may still wait for one of their jobs.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  channel.onMessage((message) => {
    const request = message as JobRequest;
    const report = setInterval(() => post({ residentBytes: process.memoryUsage.rss() }), REPORT_EVERY);
    void answer(jobs, handlers, request).then((reply) => {
      clearInterval(report);
      post(reply);
    });
  });
}

async function answer<Table extends Jobs>(
  jobs: Table,
  handlers: Handlers<Table>,
  { id, job, input }: JobRequest,
): Promise<WorkerMessage> {
  try {
    return { id, output: await handlers[job]?.(jobs[job]?.input.parse(input) as never) };
  } catch (error) {
    return { id, ...failureOf(error) };
  }
}
