import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { bodyTimeout } from '../../../dist/server/http/connection/timeouts.js';
import { ApiError } from '../../../dist/server/http/errors.js';
import { sendError } from '../../../dist/server/http/response/envelope.js';
import { closeServer } from '../../support/system/close-server.ts';

it('a body that takes too long gets one reply, also if its reader fails later', async () => {
  const failures: unknown[] = [];
  const server = createServer((incoming, response) => {
    const stop = bodyTimeout(incoming, response, { total: 50 });
    incoming.resume();
    incoming.once('close', () => {
      stop();
      try {
        sendError(
          response,
          new ApiError('malformed_body', 'It ended too soon.', { headers: { 'Retry-After': '1' } }),
          '',
        );
      } catch (error) {
        failures.push(error);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sending = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 100 } });
  sending.on('error', () => undefined);
  sending.write('half');
  const status = await new Promise((resolve) => sending.once('response', (reply) => resolve(reply.statusCode)));
  expect(status).toBe(408);
  await new Promise((resolve) => sending.once('close', resolve));
  await closeServer(server);
  expect(failures).toEqual([]);
});
