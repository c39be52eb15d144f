import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type pino from 'pino';
import { expect, it } from 'vitest';
import { failWith } from '../../../dist/server/control/answer-control.js';
import { ApiError, type ErrorCode } from '../../../dist/server/http/errors.js';
import { createLog } from '../../../dist/server/lib/log/log.js';
import { closeServer } from '../../support/system/close-server.ts';
import { send } from '../support.ts';

const log = createLog('debug', { write: () => undefined } as unknown as pino.DestinationStream);

async function failureOf(code: ErrorCode) {
  const server = http.createServer((_request, response) => failWith(new ApiError(code, 'No.'), response, log));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { status, body } = await send((server.address() as AddressInfo).port, 'POST', '/control/status');
    return [status, body];
  } finally {
    await closeServer(server);
  }
}

it.each<[ErrorCode, number, string]>([
  ['malformed_body', 400, 'invalid_input'],
  ['upload_too_large', 413, 'invalid_input'],
  ['request_timeout', 408, 'refused'],
  ['temporarily_unavailable', 503, 'refused'],
])('%s is answered with %i %s', async (code, status, expected) => {
  expect(await failureOf(code)).toEqual([status, { code: expected, error: 'No.' }]);
});
