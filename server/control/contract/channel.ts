import { z } from 'zod';
import { controlFailure } from './contract.ts';

/**
 * The control contract over a bidirectional message channel, as between the processes of the desktop application. The channel is
 * handed over and has no address, so the holder of the other end is the owner.
 */

/** A message of the owner's side: a call, or a change of its subscription to events. */
export const channelRequest = z.union([
  z.strictObject({ id: z.int(), method: z.string().max(100), input: z.unknown() }),
  z.strictObject({ id: z.int(), subscribe: z.boolean() }),
]);

/** A message to the owner's side: the result of a call, by its number, or an event. */
export const channelReply = z.union([
  z.strictObject({ id: z.int(), output: z.unknown() }),
  z.strictObject({ id: z.int(), failure: controlFailure }),
  z.strictObject({ event: z.string(), payload: z.unknown() }),
]);

export type ChannelRequest = z.input<typeof channelRequest>;
export type ChannelReply = z.input<typeof channelReply>;

/** One end of a channel of any kind. Messages are copied. */
export interface Channel {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when no further messages will come. */
  onClose(listener: () => void): void;
}
