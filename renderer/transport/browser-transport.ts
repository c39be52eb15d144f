import type { ControlFailure, MethodName, Output } from '../../server/control/contract/contract.ts';
import { bestEffort } from '../../server/lib/async/settled.ts';
import { t } from '../messages/messages.ts';
import { readEvents } from './event-stream.ts';
import {
  type Connection,
  type ControlEvent,
  type Credentials,
  Refusal,
  type SignInAccess,
  type Transport,
  Unanswered,
} from './transport.ts';

/** The storage key of the token. Other sites cannot read it. */
const STORE = 'larder-control';
/** Milliseconds. Keep-alive messages come every 20 seconds: after two missing ones the connection counts as lost. */
const TIMES = { firstRetry: 1_000, longestRetry: 30_000, silence: 50_000 };

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface BrowserParts {
  /** The panel's base address, without a trailing slash. */
  readonly origin: string;
  /** Whether it was opened by signing in over the network instead of by a link on loopback. */
  readonly isRemote?: boolean;
  /** Whether the panel is attended; other requests do not extend the session. */
  readonly isAttended?: () => boolean;
  /** Of this tab: a token in it ends with the tab. */
  readonly storage: Store;
  /** Of all tabs, and of the next days: for a sign-in that the server says is to stay. */
  readonly lastingStorage?: Store;
  readonly times?: Partial<typeof TIMES>;
}

export interface BrowserTransport extends Transport {
  /** Exchanges the secret of a link, which is valid once, for this tab's token. Failures change the connection's state. */
  openLink(secret: string): Promise<void>;
}

/** A transport over HTTP on loopback, or over HTTPS from another device. */
export function browserTransport({
  origin,
  isRemote = false,
  isAttended = () => true,
  storage,
  lastingStorage = storage,
  ...parts
}: BrowserParts): BrowserTransport {
  const times = { ...TIMES, ...parts.times };
  const tokenNow = () => storage.getItem(STORE) ?? lastingStorage.getItem(STORE);
  let connection: Connection = tokenNow() === null ? { kind: 'locked', message: null } : { kind: 'open' };
  const listeners = new Set<() => void>();
  /** Calls that wait for a reply. */
  let calls = new AbortController();
  /** Ends the pause before the next try. */
  let wake: () => void = () => undefined;

  const isLocked = () => connection.kind === 'locked';

  function change(next: Connection): void {
    connection = next;
    for (const listener of listeners) listener();
  }

  function lock(message: string | null): void {
    storage.removeItem(STORE);
    lastingStorage.removeItem(STORE);
    change({ kind: 'locked', message });
  }

  const send = (path: string, body: unknown, signal?: AbortSignal) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${tokenNow() ?? ''}`,
        ...(isAttended() ? {} : { 'Larder-Attended': 'no' }),
      },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    }).catch((error) => {
      throw new Unanswered(error);
    });

  async function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const token = tokenNow();
    const response = await send(path, body, signal);
    if (response.ok) return response;
    const refusal = await refusalOf(response);
    // If the owner no longer allows remote access, there is no panel.
    const isGone = response.status === 404 && refusal.failure.code !== 'unknown_method';
    // The reply to a request with an old token says nothing about the present one.
    if ((response.status === 401 || isGone) && token === tokenNow()) lock(refusal.message);
    throw refusal;
  }

  /** Runs until it is aborted or locked. */
  async function listen(signal: AbortSignal, listener: (event: ControlEvent) => void): Promise<void> {
    for (let failures = 0; !signal.aborted && !isLocked(); failures += 1) {
      const stream = new AbortController();
      const end = () => stream.abort();
      signal.addEventListener('abort', end);
      let alarm: ReturnType<typeof setTimeout> | undefined;
      const onKeepAlive = () => {
        clearTimeout(alarm);
        alarm = setTimeout(() => {
          end();
          // They will never be answered.
          calls.abort();
          calls = new AbortController();
        }, times.silence);
      };
      try {
        onKeepAlive();
        const { body } = await post('/control-events', {}, stream.signal);
        failures = 0;
        if (connection.kind === 'lost') change({ kind: 'open' });
        if (body !== null) {
          for await (const { name, data } of readEvents(body, onKeepAlive)) {
            listener({ name, payload: JSON.parse(data) } as ControlEvent);
          }
        }
      } catch (error) {
        if (error instanceof Refusal && isLocked()) return;
      } finally {
        clearTimeout(alarm);
        signal.removeEventListener('abort', end);
      }
      // Another call may have found meanwhile that a new link is needed.
      if (signal.aborted || isLocked()) return;
      const wait = Math.min(times.firstRetry * 2 ** failures, times.longestRetry);
      change({ kind: 'lost', retryAt: Date.now() + wait });
      await new Promise<void>((resolve) => {
        wake = resolve;
        void pause(wait, signal).then(resolve);
      });
    }
  }

  const access: SignInAccess = {
    async signIn(credentials: Credentials) {
      const response = await send('/sign-in', credentials);
      if (!response.ok) throw await refusalOf(response);
      const { token, stays = false } = (await response.json()) as { token?: string; stays?: boolean };
      if (token === undefined) return { needsCode: true };
      (stays ? lastingStorage : storage).setItem(STORE, token);
      change({ kind: 'open' });
      return { needsCode: false };
    },
    async signOut() {
      // This browser forgets its session anyway.
      await bestEffort(send('/sign-out', {}));
      lock(null);
    },
  };

  return {
    kind: 'browser',
    access: isRemote ? access : null,
    async invoke(method, input) {
      if (connection.kind === 'locked') {
        throw new Refusal({ code: 'not_allowed', error: connection.message ?? t('locked.heading') });
      }
      const response = await post(`/control/${method satisfies MethodName}`, input, calls.signal);
      // The connection is back: calls need not wait for its events.
      if (connection.kind === 'lost') wake();
      return (await response.json()) as Output<typeof method>;
    },
    subscribe(listener) {
      const end = new AbortController();
      void listen(end.signal, listener);
      return () => end.abort();
    },
    connection: {
      current: () => connection,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async openLink(secret) {
      try {
        const response = await send('/control-link', { secret });
        if (response.ok) {
          const { token } = (await response.json()) as { token: string };
          storage.setItem(STORE, token);
          change({ kind: 'open' });
        } else if (tokenNow() === null) {
          lock((await refusalOf(response)).message);
        }
      } catch (error) {
        // An existing token may still be valid.
        if (tokenNow() === null) lock((error as Error).message);
      }
    },
  };
}

async function refusalOf(response: Response): Promise<Refusal> {
  const failure = (await response.json().catch((error) => {
    throw new Unanswered(error);
  })) as ControlFailure;
  return new Refusal(failure);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
