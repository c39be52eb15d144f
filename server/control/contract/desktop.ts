import { z } from 'zod';

/**
 * What the desktop application and the server that it runs say to each other beside the control contract, over the way that
 * a utility process has to the process that started it.
 */

/** Where and how to serve, as on the command line; what is not said is as there. */
export const serverFlags = z.strictObject({
  folder: z.string().min(1),
  /** There was an installation before: where there is none now, none is made, because its disk may be away. */
  mustExist: z.boolean().default(false),
  port: z.int().optional(),
  httpPort: z.int().optional(),
  controlPort: z.int().optional(),
  host: z.string().optional(),
  name: z.string().optional(),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
});

/** Why the server did not start, for people: what is wrong, and what to do. */
export const startFailure = z.object({
  /**
   * `missing`: there is no installation where one was; `folder`: it cannot be used; `in_use`: another program has it;
   * `database`: it is damaged or gone, and has to be put back; `port`: it is taken, or not ours to open.
   */
  reason: z.enum(['missing', 'folder', 'in_use', 'database', 'port', 'other']),
  message: z.string(),
  advice: z.string(),
  /** Whether it may pass by itself, as a full disk does, so that it is worth another try. */
  mayPass: z.boolean().optional(),
});

/** Processes for what decodes hostile bytes: only the application may start any. */
const workerRequests = [
  z.strictObject({
    kind: z.literal('spawn-worker'),
    id: z.int(),
    entry: z.enum(['image-worker', 'thumbnail-worker', 'text-worker', 'embedded-worker', 'archive-worker']),
    options: z.array(z.string()).readonly(),
    /** All that it knows of its surroundings. */
    environment: z.record(z.string(), z.string()),
    /** Megabytes of JavaScript heap. */
    heap: z.int(),
  }),
  z.strictObject({ kind: z.literal('end-worker'), id: z.int() }),
] as const;

const workerReports = [
  /** A worker that was asked for runs. With one end of its channel. */
  z.strictObject({ kind: z.literal('worker-started'), id: z.int(), pid: z.int().nullable() }),
  z.strictObject({ kind: z.literal('worker-ended'), id: z.int(), how: z.string() }),
] as const;

export const toServer = z.discriminatedUnion('kind', [
  /** The first message. With one end of the control channel. */
  z.strictObject({
    kind: z.literal('start'),
    flags: serverFlags,
    /** How the command line is typed in a terminal, for messages. */
    command: z.string(),
  }),
  ...workerReports,
  /** Requests in flight may finish; then the process ends. */
  z.strictObject({ kind: z.literal('stop') }),
]);

export const fromServer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('step'), step: z.enum(['opening', 'listening']) }),
  z.strictObject({
    kind: z.literal('ready'),
    version: z.string(),
    addresses: z.array(z.string()).readonly(),
    log: z.string(),
  }),
  z.strictObject({ kind: z.literal('failed'), failure: startFailure }),
  /** The machine has come into another network, or out of one. */
  z.strictObject({ kind: z.literal('addresses'), addresses: z.array(z.string()).readonly() }),
  ...workerRequests,
]);

export type ServerFlags = z.input<typeof serverFlags>;
export type StartFailure = z.infer<typeof startFailure>;
/** What the command line says when it runs as a program of the desktop application's, beside its workers. */
export const fromCommandLine = z.discriminatedUnion('kind', [
  ...workerRequests,
  /** It reads its standard input, which only the application has. */
  z.strictObject({ kind: z.literal('read') }),
  z.strictObject({ kind: z.literal('end'), code: z.int() }),
]);

export const toCommandLine = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('run'),
    argv: z.array(z.string()).readonly(),
    /** How the command is typed in a terminal. */
    command: z.string(),
  }),
  ...workerReports,
  /** Standard input; null at its end. */
  z.strictObject({ kind: z.literal('input'), bytes: z.instanceof(Uint8Array).nullable() }),
  z.strictObject({ kind: z.literal('stop') }),
]);

export type FromCommandLine = z.infer<typeof fromCommandLine>;
export type ToCommandLine = z.infer<typeof toCommandLine>;
export type WorkerRequest = z.infer<(typeof workerRequests)[number]>;
export type WorkerReport = z.infer<(typeof workerReports)[number]>;

export type ToServer = z.input<typeof toServer>;
export type FromServer = z.infer<typeof fromServer>;
