import { z } from 'zod';

/** What this Larder is made of, and how it is looked after. */

const packed = z.object({
  name: z.string(),
  version: z.string(),
  /** As the package says it, mostly an SPDX expression; empty when it says none. */
  licence: z.string(),
  /** In which part of Larder it is. */
  part: z.enum(['server', 'panel', 'application']),
});

export const aboutMethods = {
  'about.get': {
    summary: 'Versions, where it runs and since when, and whose work is in it',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({
      version: z.string(),
      node: z.string(),
      sqlite: z.string(),
      /** Null where no window is. */
      electron: z.string().nullable(),
      /** Kind, version and processor. */
      system: z.string(),
      folder: z.string(),
      /** Since when this process has the folder open. */
      since: z.string(),
      packages: z.array(packed),
    }),
  },
  'about.licence': {
    summary: 'The text of the licence of a package that "about.get" tells',
    may: ['owner'],
    input: packed.pick({ name: true, version: true, part: true }).strict(),
    /** Empty when the package brings none. */
    output: z.object({ text: z.string() }),
  },
  'doctor.cancel': {
    summary: 'End the look of the doctor that is under way; what it has repaired stays so',
    may: ['owner', 'first-run'],
    input: z.strictObject({}),
    output: z.object({ cancelled: z.boolean() }),
  },
  'doctor.progress': {
    summary: 'How far the doctor is',
    may: ['owner', 'first-run'],
    input: z.strictObject({}),
    output: z.object({
      isRunning: z.boolean(),
      /** What is being checked, such as "database"; empty when nothing is. */
      check: z.string(),
      /** Checks that are done, and how many there are. */
      done: z.int(),
      total: z.int(),
    }),
  },
} as const;
