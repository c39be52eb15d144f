import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { streamEvents } from '../../../dist/server/control/event-stream.js';
import { closeServer } from '../../support/system/close-server.ts';

it('a client that disconnects before the first event is not kept', async () => {
  let listeners = 0;
  const source = {
    subscribe() {
      listeners += 1;
      return () => {
        listeners -= 1;
      };
    },
  };
  const server = http.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = http.get({ port, host: '127.0.0.1' });
  asked.on('error', () => undefined);
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const gone = once(response, 'close');
  asked.destroy();
  await gone;
  streamEvents(source, response);
  expect(listeners).toBe(0);

  const stays = http.get({ port, host: '127.0.0.1' });
  stays.on('error', () => undefined);
  const [, kept] = (await once(server, 'request')) as [unknown, ServerResponse];
  streamEvents(source, kept);
  expect(listeners).toBe(1);
  const left = once(kept, 'close');
  stays.destroy();
  await left;
  expect(listeners).toBe(0);
  await closeServer(server);
});
