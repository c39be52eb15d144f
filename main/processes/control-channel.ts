import { type Channel, type ChannelRequest, channelReply } from '../../server/control/contract/channel.ts';
import {
  type Contract,
  type ControlFailure,
  contract,
  type Input,
  type MethodName,
  type Output,
} from '../../server/control/contract/contract.ts';
import { type ControlEventName, type ControlPayload, controlEvents } from '../../server/control/contract/events.ts';
import { bestEffort } from '../../server/lib/async/settled.ts';
import { t } from '../messages/messages.ts';

/** A call that the server refused. */
export class ControlRefusal extends Error {
  readonly failure: ControlFailure;

  constructor(failure: ControlFailure) {
    super(failure.error);
    this.name = 'ControlRefusal';
    this.failure = failure;
  }
}

type EventListener = <Name extends ControlEventName>(name: Name, payload: ControlPayload<Name>) => void;

/** The owner's end of a channel to the server. */
export interface ControlChannel {
  /** @throws ControlRefusal; `refused` when the server stops before it has replied */
  invoke<Name extends MethodName>(method: Name, input: Input<Name>): Promise<Output<Name>>;
  /**
   * Calls the listener with the present state, then with every change. One subscription at a time: another one ends it.
   * @returns the function that unsubscribes @throws ControlRefusal
   */
  subscribe(listener: EventListener): Promise<() => void>;
}

const STOPPED: ControlFailure = { error: t('error.stopped'), code: 'refused' };

interface Pending {
  resolve(output: unknown): void;
  reject(refusal: ControlRefusal): void;
}

/** Replies are checked against the contract like requests, because server and application may differ in version. */
export function openControlChannel(channel: Channel): ControlChannel {
  const pending = new Map<number, Pending>();
  let listener: EventListener | null = null;
  let next = 0;
  let isClosed = false;

  function ask(request: Omit<Extract<ChannelRequest, { method: string }>, 'id'> | { subscribe: boolean }) {
    return new Promise<unknown>((resolve, reject) => {
      if (isClosed) return reject(new ControlRefusal(STOPPED));
      const id = next++;
      pending.set(id, { resolve, reject });
      channel.post({ id, ...request });
    });
  }

  function tell(name: string, payload: unknown): void {
    if (!Object.hasOwn(controlEvents, name)) return;
    const event = name as ControlEventName;
    const checked = controlEvents[event].payload.safeParse(payload);
    if (checked.success) listener?.(event, checked.data);
  }

  channel.onMessage((message) => {
    const reply = channelReply.safeParse(message);
    if (!reply.success) return;
    if ('event' in reply.data) return tell(reply.data.event, reply.data.payload);
    const { id } = reply.data;
    const call = pending.get(id);
    pending.delete(id);
    if ('failure' in reply.data) call?.reject(new ControlRefusal(reply.data.failure));
    else call?.resolve(reply.data.output);
  });
  channel.onClose(() => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(new ControlRefusal(STOPPED));
    pending.clear();
  });

  return {
    async invoke(method, input) {
      const output = await ask({ method, input });
      const { output: shape }: Contract[MethodName] = contract[method];
      return shape.parse(output) as never;
    },

    async subscribe(requested) {
      listener = requested;
      await ask({ subscribe: true });
      return () => {
        if (listener !== requested) return;
        listener = null;
        // A server that has ended sends nothing more.
        void bestEffort(ask({ subscribe: false }));
      };
    },
  };
}
