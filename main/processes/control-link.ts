import type { Channel } from '../../server/control/contract/channel.ts';
import type { ControlFailure, MethodName } from '../../server/control/contract/contract.ts';
import type { WindowEvent, WindowReply } from '../../server/control/contract/window.ts';
import { t } from '../messages/messages.ts';
import { type ControlChannel, ControlRefusal, openControlChannel } from './control-channel.ts';

/** Milliseconds between two looks at whether something needs the owner. */
const LOOK = 60_000;

/** The way to the server that runs, whichever one that is. */
export interface ControlLink {
  /** A server runs, and this is the way to it; null when it does no more. */
  use(channel: Channel | null): void;
  invoke(method: string, input: unknown): Promise<WindowReply>;
  /** Tells again how things are, then every change: to pages that have just come to be. */
  follow(): void;
  unfollow(): void;
}

export interface ControlLinkParts {
  onEvent(event: WindowEvent): void;
  /** Whether something needs the owner. */
  onAttention(isNeeded: boolean): void;
  /** For the log. */
  onTrouble(what: string): void;
}

export function createControlLink(parts: ControlLinkParts): ControlLink {
  let control: ControlChannel | null = null;
  let isFollowing = false;
  let end: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function subscribe(): Promise<void> {
    end?.();
    end = null;
    const one = control;
    if (one === null || !isFollowing) return;
    try {
      const stop = await one.subscribe((name, payload) => {
        if (control === one) parts.onEvent({ name, payload } as WindowEvent);
      });
      if (control === one && isFollowing) end = stop;
      else stop();
    } catch (error) {
      // Before there is an owner nobody is told anything.
      if (!(error instanceof ControlRefusal)) throw error;
    }
  }

  async function look(): Promise<void> {
    const one = control;
    if (one === null) return;
    const { attention, hasOwner } = await one.invoke('status', {});
    if (control === one) parts.onAttention(attention.length > 0 || !hasOwner);
  }

  const trouble = (error: unknown) => {
    if (!(error instanceof ControlRefusal)) parts.onTrouble(`the way to the server: ${(error as Error).message}`);
  };

  return {
    use(channel) {
      clearInterval(timer);
      control = channel === null ? null : openControlChannel(channel);
      end = null;
      if (control === null) return;
      subscribe().catch(trouble);
      look().catch(trouble);
      timer = setInterval(() => look().catch(trouble), LOOK);
    },

    async invoke(method, input) {
      if (control === null) return refused(t('error.notRunning'));
      try {
        // Whether there is such a method, and what it takes, is said by the server.
        const output = await control.invoke(method as MethodName, input as never);
        if (method === 'setup') subscribe().catch(trouble);
        // What was changed may be what needed the owner, or needs the owner now.
        if (method === 'setup' || method === 'settings.update') look().catch(trouble);
        return { output };
      } catch (error) {
        if (error instanceof ControlRefusal) return { failure: error.failure };
        trouble(error);
        return refused(t('error.unexpected'), 'internal_error');
      }
    },

    follow() {
      isFollowing = true;
      subscribe().catch(trouble);
    },

    unfollow() {
      isFollowing = false;
      end?.();
      end = null;
    },
  };
}

export function refused(error: string, code: ControlFailure['code'] = 'refused'): { failure: ControlFailure } {
  return { failure: { error, code } };
}
