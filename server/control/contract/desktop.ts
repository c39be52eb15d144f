import { z } from 'zod';

/**
 * What the desktop application and the server that it runs say to each other beside the control contract, over the way that
 * a utility process has to the process that started it.
 */

/** Where and how to serve, as on the command line; what is not said is as there. */
export const serverFlags = z.strictObject({
  folder: z.string().min(1),
  port: z.int().optional(),
  httpPort: z.int().optional(),
  controlPort: z.int().optional(),
  host: z.string().optional(),
  name: z.string().optional(),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
});

/** Why the server did not start, for people: what is wrong, and what to do. */
export const startFailure = z.object({
  /** `folder`: it cannot be used; `in_use`: another Larder has it; `port`: it is taken, or not ours to open. */
  reason: z.enum(['folder', 'in_use', 'port', 'other']),
  message: z.string(),
  advice: z.string(),
});

export const toServer = z.discriminatedUnion('kind', [
  /** The first message. With one end of the control channel. */
  z.strictObject({ kind: z.literal('start'), flags: serverFlags }),
  /** A worker that was asked for runs. With one end of its channel. */
  z.strictObject({ kind: z.literal('worker-started'), id: z.int(), pid: z.int().nullable() }),
  z.strictObject({ kind: z.literal('worker-ended'), id: z.int(), how: z.string() }),
  /** Requests in flight may finish; then the process ends. */
  z.strictObject({ kind: z.literal('stop') }),
]);

export const fromServer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('step'), step: z.enum(['opening', 'listening']) }),
  z.strictObject({ kind: z.literal('ready'), version: z.string(), addresses: z.array(z.string()), log: z.string() }),
  z.strictObject({ kind: z.literal('failed'), failure: startFailure }),
  z.strictObject({
    kind: z.literal('spawn-worker'),
    id: z.int(),
    entry: z.enum(['image-worker', 'thumbnail-worker', 'text-worker', 'embedded-worker', 'archive-worker']),
    options: z.array(z.string()).readonly(),
  }),
  z.strictObject({ kind: z.literal('end-worker'), id: z.int() }),
]);

export type ServerFlags = z.infer<typeof serverFlags>;
export type StartFailure = z.infer<typeof startFailure>;
export type ToServer = z.infer<typeof toServer>;
export type FromServer = z.infer<typeof fromServer>;
