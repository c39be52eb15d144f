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
    summary: 'Get versions, platform, start time and bundled packages',
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
    summary: 'Get the licence text of a package listed by "about.get"',
    may: ['owner'],
    input: packed.pick({ name: true, version: true, part: true }).strict(),
    /** Empty if the package has none. */
    output: z.object({ text: z.string() }),
  },
  'doctor.cancel': {
    summary: 'Cancel the running check; repairs already made remain',
    may: ['owner', 'first-run'],
    input: z.strictObject({}),
    output: z.object({ cancelled: z.boolean() }),
  },
  'doctor.progress': {
    summary: "Get the doctor's progress",
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
