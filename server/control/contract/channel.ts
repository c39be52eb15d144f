import { z } from 'zod';
import { controlFailure } from './contract.ts';

/**
 * The control contract over a channel that carries messages both ways, as between the processes of the desktop application.
 * Whoever holds the other end is the owner: it is handed over, and has no address.
 */

/** What the owner's side says: a call, or that it wants to be told what happens from now on, or no more. */
export const channelRequest = z.union([
  z.strictObject({ id: z.int(), method: z.string().max(100), input: z.unknown() }),
  z.strictObject({ id: z.int(), subscribe: z.boolean() }),
]);

/** What it hears: how its call ended, under the number of the call, and what it was not asked for. */
export const channelReply = z.union([
  z.strictObject({ id: z.int(), output: z.unknown() }),
  z.strictObject({ id: z.int(), failure: controlFailure }),
  z.strictObject({ event: z.string(), payload: z.unknown() }),
]);

export type ChannelRequest = z.input<typeof channelRequest>;
export type ChannelReply = z.input<typeof channelReply>;

/** One end of a channel, whatever it is made of. What is posted is copied. */
export interface Channel {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when nothing more will come. */
  onClose(listener: () => void): void;
}
