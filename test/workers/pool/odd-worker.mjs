import { existsSync, watch, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { answerJobs } from '../../../dist/server/workers/answer-jobs.js';

/** A worker that does whatever a decoder might do when hostile bytes have got the better of it. */
const any = { input: z.any(), output: z.any() };
const names = [
  'echo',
  'surroundings',
  'endless',
  'held',
  'hang',
  'exit',
  'abort',
  'throw',
  'reject',
  'bloat',
  'keep',
  'babble',
];
const keptForever = [];

answerJobs(Object.fromEntries(names.map((name) => [name, any])), {
  echo: async (input) => input,
  surroundings: async () => ({
    pid: process.pid,
    environment: process.env,
    arguments: process.execArgv,
    folder: process.cwd(),
  }),
  // A promise alone keeps no process alive; the channel to the server does.
  endless: () => new Promise(() => undefined),
  held: (path) =>
    new Promise((resolve) => {
      const watching = watch(dirname(path), () => look());
      writeFileSync(`${path}.begun`, '');
      look();
      function look() {
        if (!existsSync(`${path}.go`)) return;
        watching.close();
        resolve(process.pid);
      }
    }),
  hang: async () => {
    for (;;);
  },
  exit: async () => process.exit(3),
  abort: async () => process.abort(),
  throw: async () => {
    setImmediate(() => {
      throw new Error('outside of the job');
    });
    return new Promise(() => undefined);
  },
  reject: async () => {
    throw new TypeError('a mistake in a decoder');
  },
  bloat: async () => {
    const kept = [];
    for (;;) {
      kept.push(Buffer.alloc(8 * 1024 * 1024, 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  keep: async (megabytes) => {
    keptForever.push(Buffer.alloc(megabytes * 1024 * 1024, 1));
    return process.pid;
  },
  babble: async (message) => {
    process.send(message);
    return new Promise(() => undefined);
  },
});
