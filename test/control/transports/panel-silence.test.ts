import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { browserTransport } from '../../../dist/renderer-modules/transport/browser-transport.js';
import { closeServer } from '../../support/system/close-server.ts';
import { tabStorage } from './transports.ts';

/** Milliseconds. */
const SILENCE = 3_000;

// What a network that has gone away without a word looks like: everything is sent, nothing comes back.
let streams: ServerResponse[];
let calls: ServerResponse[];
let server: ReturnType<typeof createServer>;

beforeEach(async () => {
  streams = [];
  calls = [];
  server = createServer((request, response) => {
    if (request.url === '/control-events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      streams.push(response);
    } else calls.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  // In this order: the clock does not put back what was replaced after it.
  vi.restoreAllMocks();
  vi.useRealTimers();
  server.closeAllConnections();
  await closeServer(server);
});

it('a silent stream is closed, with its waiting calls, and opened again', async () => {
  // The page's time is the test's.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const heard = vi.spyOn(globalThis, 'setTimeout');
  const { port } = server.address() as { port: number };
  const storage = tabStorage();
  storage.setItem('larder-control', 'a-token');
  const panel = browserTransport({
    ...{ origin: `http://127.0.0.1:${port}`, storage },
    times: { firstRetry: 20, longestRetry: 100, silence: SILENCE },
  });
  const told: string[] = [];
  const end = panel.subscribe(({ name }) => told.push(name));
  await expect.poll(() => streams.length).toBe(1);
  // Signs of life say nothing, and keep it open for longer than the silence that would end it.
  for (let sign = 0; sign < 5; sign += 1) {
    vi.advanceTimersByTime(0.5 * SILENCE);
    const before = heard.mock.calls.length;
    streams[0]?.write(':\n\n');
    // The page waits for the next one.
    await expect.poll(() => heard.mock.calls.slice(before).some(([, wait]) => wait === SILENCE)).toBe(true);
  }
  expect([panel.connection.current().kind, streams.length, told]).toEqual(['open', 1, []]);

  const call = panel.invoke('status', {}).catch((error: Error) => error.name);
  const kinds: string[] = [];
  panel.connection.subscribe(() => kinds.push(panel.connection.current().kind));
  await expect.poll(() => calls.length).toBe(1);
  vi.advanceTimersByTime(SILENCE);
  await expect
    .poll(() => {
      // The pauses before it is opened again.
      vi.advanceTimersByTime(20);
      return kinds.slice(0, 2);
    })
    .toEqual(['lost', 'open']);
  expect(await call).toBe('Unanswered');
  await expect.poll(() => calls[0]?.destroyed).toBe(true);
  await expect
    .poll(() => {
      streams.at(-1)?.write('event: traffic\ndata: {}\n\n');
      return told[0];
    })
    .toBe('traffic');
  end();
  const isOver = () => streams.every(({ destroyed }) => destroyed);
  await expect.poll(isOver, { message: 'nobody listens any more' }).toBe(true);
});
