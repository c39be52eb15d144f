import { z } from 'zod';

/** The components of this Larder, and its maintenance. */

const packed = z.object({
  name: z.string(),
  version: z.string(),
  /** As its package states it, usually an SPDX expression; empty if not stated. */
  licence: z.string(),
  /** The part of Larder that contains it. */
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
      /** Null without a window. */
      electron: z.string().nullable(),
      /** Kind, version and processor. */
      system: z.string(),
      folder: z.string(),
      /** When this process opened the folder. */
      since: z.string(),
      packages: z.array(packed),
    }),
  },
  'about.licence': {
    summary: 'The text of the licence of a package that "about.get" tells',
    may: ['owner'],
    input: packed.pick({ name: true, version: true, part: true }).strict(),
    /** Empty if the package has none. */
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
      /** The check in progress, such as "database"; empty if there is none. */
      check: z.string(),
      /** Completed checks, and the total. */
      done: z.int(),
      total: z.int(),
    }),
  },
} as const;
