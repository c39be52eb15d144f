import type { Channel } from '../../server/control/contract/channel.ts';
import type { ControlFailure, MethodName } from '../../server/control/contract/contract.ts';
import type { WindowEvent, WindowReply } from '../../server/control/contract/window.ts';
import { t } from '../messages/messages.ts';
import { type ControlChannel, ControlRefusal, openControlChannel } from './control-channel.ts';

/** Milliseconds between two checks whether something needs attention. */
const CHECK_INTERVAL = 60_000;

/** The connection to the running server, which may be replaced. */
export interface ControlLink {
  /** Sets the channel of the running server; null when it has stopped. */
  use(channel: Channel | null): void;
  invoke(method: string, input: unknown): Promise<WindowReply>;
  /** Sends the present state again, then every change, for new pages. */
  follow(): void;
  unfollow(): void;
}

interface ControlLinkParts {
  onEvent(event: WindowEvent): void;
  /** Called when something begins or ceases to need attention. */
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
      // Without an owner there are no events.
      if (!(error instanceof ControlRefusal)) throw error;
    }
  }

  async function check(): Promise<void> {
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
      check().catch(trouble);
      timer = setInterval(() => check().catch(trouble), CHECK_INTERVAL);
    },

    async invoke(method, input) {
      if (control === null) return refused(t('error.notRunning'));
      try {
        // The server checks the method and its input.
        const output = await control.invoke(method as MethodName, input as never);
        if (method === 'setup') subscribe().catch(trouble);
        // The change may have created or solved a problem.
        if (method === 'setup' || method === 'settings.update') check().catch(trouble);
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
