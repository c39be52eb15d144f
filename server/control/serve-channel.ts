import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';
import { type Channel, type ChannelReply, type ChannelRequest, channelRequest } from './contract/channel.ts';
import { ControlError, type Dispatcher } from './dispatcher.ts';

/** Calls of one channel that may be in progress; more are refused. */
const MAX_CALLS = 200;

/** Answers calls over a channel, and sends it events, until it is closed. */
export function serveChannel(channel: Channel, { dispatcher, log }: { dispatcher: Dispatcher; log: Log }): void {
  let unsubscribe: (() => void) | null = null;
  let calls = 0;
  let isClosed = false;

  const post = (reply: ChannelReply) => {
    if (!isClosed) channel.post(reply);
  };

  function end(): void {
    unsubscribe?.();
    unsubscribe = null;
  }

  async function subscribe(): Promise<void> {
    const source = await dispatcher.events();
    if (isClosed || unsubscribe !== null) return;
    unsubscribe = source.subscribe((event, payload) => post({ event, payload }));
  }

  async function carryOut(request: ChannelRequest): Promise<unknown> {
    if ('method' in request) return dispatcher.dispatch(request.method, request.input);
    if (request.subscribe) await subscribe();
    else end();
    return null;
  }

  async function answer(request: ChannelRequest): Promise<void> {
    const { id } = request;
    calls += 1;
    try {
      if (calls > MAX_CALLS) throw new ControlError('refused', t('api.control.tooManyCalls'));
      post({ id, output: await carryOut(request) });
    } catch (error) {
      if (!(error instanceof ControlError)) log.error({ err: error }, 'a call over a channel failed');
      const failure = error instanceof ControlError ? error : new ControlError('internal_error', UNEXPECTED);
      post({ id, failure: failure.toFailure() });
    } finally {
      calls -= 1;
    }
  }

  channel.onMessage((message) => {
    const request = channelRequest.safeParse(message);
    if (request.success) void answer(request.data);
    else log.warn('received an invalid message over a channel');
  });
  channel.onClose(() => {
    isClosed = true;
    end();
  });
}

const UNEXPECTED = t('api.control.internal');
