import { z } from 'zod';

/**
 * The messages between the desktop application and the server it runs, beside the control contract, over the channel of a utility
 * process.
 */

/** How to serve, as on the command line, with the same defaults. */
const serverFlags = z.strictObject({
  folder: z.string().min(1),
  /** There was an installation before. If it is missing, none is created, because its disk may be unavailable. */
  mustExist: z.boolean().default(false),
  port: z.int().optional(),
  httpPort: z.int().optional(),
  controlPort: z.int().optional(),
  host: z.string().optional(),
  name: z.string().optional(),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
});

/** Why the server did not start, as text for people: the problem, and what to do. */
export const startFailure = z.object({
  /**
   * `missing`: the installation is no longer there; `folder`: it cannot be used; `in_use`: another program uses it; `database`:
   * damaged or missing, to be restored; `port`: in use, or not permitted.
   */
  reason: z.enum(['missing', 'folder', 'in_use', 'database', 'port', 'other']),
  message: z.string(),
  advice: z.string(),
  /** Whether it is worth another try, because the cause may pass, like a full disk. */
  mayPass: z.boolean().optional(),
});

/** Requests for worker processes that decode untrusted bytes: only the application can start them. */
const workerRequests = [
  z.strictObject({
    kind: z.literal('spawn-worker'),
    id: z.int(),
    entry: z.enum(['image-worker', 'thumbnail-worker', 'text-worker', 'embedded-worker', 'archive-worker']),
    options: z.array(z.string()).readonly(),
    /** The whole environment of the process. */
    environment: z.record(z.string(), z.string()),
    /** Megabytes of JavaScript heap. */
    heap: z.int(),
  }),
  z.strictObject({ kind: z.literal('end-worker'), id: z.int() }),
] as const;

const workerReports = [
  /** A requested worker runs. Transfers one end of its channel. */
  z.strictObject({ kind: z.literal('worker-started'), id: z.int(), pid: z.int().nullable() }),
  z.strictObject({ kind: z.literal('worker-ended'), id: z.int(), how: z.string() }),
] as const;

export const toServer = z.discriminatedUnion('kind', [
  /** The first message. Transfers one end of the control channel. */
  z.strictObject({
    kind: z.literal('start'),
    flags: serverFlags,
    /** The command line in a terminal, for messages. */
    command: z.string(),
  }),
  ...workerReports,
  /** Whether the computer runs on its battery. Before the first such message, it does not. */
  z.strictObject({ kind: z.literal('power'), isOnBattery: z.boolean() }),
  /** Lets requests in progress finish; then the process ends. */
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
  /** The machine's network addresses have changed. */
  z.strictObject({ kind: z.literal('addresses'), addresses: z.array(z.string()).readonly() }),
  ...workerRequests,
]);

export type ServerFlags = z.input<typeof serverFlags>;
export type StartFailure = z.infer<typeof startFailure>;
/** Messages of the command line when it runs as a process of the desktop application, beside its workers. */
export const fromCommandLine = z.discriminatedUnion('kind', [
  ...workerRequests,
  /** Requests standard input, which only the application has. */
  z.strictObject({ kind: z.literal('read') }),
  z.strictObject({ kind: z.literal('end'), code: z.int() }),
]);

export const toCommandLine = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('run'),
    argv: z.array(z.string()).readonly(),
    /** The command in a terminal. */
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
