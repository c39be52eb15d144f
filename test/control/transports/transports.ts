import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { openControlChannel } from '../../../dist/main/processes/control-channel.js';
import { browserTransport } from '../../../dist/renderer-modules/transport/browser-transport.js';
import { openControl } from '../../../dist/server/cli/control-client.js';
import { parseConfig } from '../../../dist/server/config/config.js';
import type { Channel } from '../../../dist/server/control/contract/channel.js';
import { controlFailure } from '../../../dist/server/control/contract/contract.js';
import { serveChannel } from '../../../dist/server/control/serve-channel.js';
import { createLog } from '../../../dist/server/lib/log/log.js';
import type { Household } from '../../support/households/household.ts';
import { send } from '../support.ts';

export interface Told {
  readonly name: string;
  readonly payload: Record<string, unknown>;
}

/** One of the ways to the owner's side. A call that is refused is thrown as what the other side said. */
export interface Transport {
  call(method: string, input: unknown): Promise<unknown>;
  /** Null where nobody can be told anything. Returns what ends it. */
  subscribe: ((listener: (told: Told) => void) => Promise<() => void>) | null;
  close(): void;
}

export type OpenTransport = (household: Household) => Promise<Transport>;

export const TRANSPORTS: Readonly<Record<string, OpenTransport>> = {
  'loopback HTTP': overLoopback,
  'a channel': async (household) => overChannel(household),
  'the command line': overCommandLine,
  'the panel in a browser': overPanel,
};

async function overLoopback({ controlPort: port, control }: Household): Promise<Transport> {
  const { url } = await control('panel.link');
  const secret = String(url).split('#open=')[1];
  const post = (path: string, body: unknown, token?: string) =>
    send(port, 'POST', path, {
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
  const { token } = (await post('/control-link', { secret })).body;
  return {
    async call(method, input) {
      const { status, body } = await post(`/control/${method}`, input, token);
      if (status !== 200) throw controlFailure.parse(body);
      return body;
    },
    async subscribe(listener) {
      const abort = new AbortController();
      const response = await fetch(`http://127.0.0.1:${port}/control-events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        signal: abort.signal,
      });
      if (!response.ok) throw controlFailure.parse(await response.json());
      void tellAll(response, listener).catch(() => undefined);
      return () => abort.abort();
    },
    close: () => undefined,
  };
}

async function tellAll(response: Response, listener: (told: Told) => void): Promise<void> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name = '', data = ''] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      if (name !== '') listener({ name, payload: JSON.parse(data) });
    }
  }
}

/** @param port the owner's end, for a test that has something else to say than a client of ours would */
export function overChannel(
  { larder }: Household,
  meanwhile: (port: MessagePort) => void = () => undefined,
): Transport {
  const { port1: servers, port2: owners } = new MessageChannel();
  const log = createLog('silent', { write: () => undefined });
  serveChannel(channelOf(servers), { dispatcher: larder.dispatcher, log });
  meanwhile(owners);
  const control = openControlChannel(channelOf(owners));
  const said = (error: unknown) => {
    throw (error as { failure?: unknown }).failure ?? error;
  };
  return {
    call: (method, input) => control.invoke(method as 'status', input as Record<string, never>).catch(said),
    subscribe: (listener) => control.subscribe((name, payload) => listener({ name, payload })).catch(said),
    close: () => owners.close(),
  };
}

function channelOf(port: MessagePort): Channel {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => port.on('message', listener),
    onClose: (listener) => port.once('close', listener),
  };
}

async function overCommandLine({ folder }: Household): Promise<Transport> {
  const control = await openControl({ config: parseConfig({ folder }, {}) });
  return {
    call: (method, input) =>
      control.call(method, input).catch((error) => {
        throw error.toFailure();
      }),
    subscribe: null,
    close: () => void control.close(),
  };
}

async function overPanel(household: Household): Promise<Transport> {
  const panel = await openPanel(household);
  return {
    call: (method, input) =>
      panel.invoke(method as 'status', input as Record<string, never>).catch((error) => {
        throw error.failure ?? error;
      }),
    // It goes on trying where others are refused: see the test of its own.
    subscribe: null,
    close: () => undefined,
  };
}

/** The panel's own way to the server, with the token of a fresh link in a tab of its own. */
export async function openPanel({ controlPort, control }: Household, storage = tabStorage()) {
  const panel = browserTransport({
    origin: `http://127.0.0.1:${controlPort}`,
    storage,
    times: { firstRetry: 20, longestRetry: 100 },
  });
  const { url } = await control('panel.link');
  await panel.openLink(String(url).split('#open=')[1] ?? '');
  return panel;
}

/** What a tab keeps. */
export function tabStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
