import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { holdBody } from '../support/requests/held-body.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

let household: Household;
let api: ApiClient;
let dav: DavClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  dav = await davClient(api);
});
afterAll(() => household?.close());

/** Sends a request whose body stops in its middle, and lets its connection be silent for as long as the server waits. */
async function silent(path: string, send: (held: ReturnType<typeof holdBody>) => Promise<Reply>): Promise<Reply> {
  const held = holdBody(Buffer.alloc(64 * 1024, ' '));
  const arrived = new Promise<ServerResponse>((resolve) => {
    const onRequest = (message: unknown) => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
      if (!request.url?.startsWith(path)) return;
      unsubscribe('http.server.request.start', onRequest);
      resolve(response);
    };
    subscribe('http.server.request.start', onRequest);
  });
  const reply = send(held);
  const response = await arrived;
  // The body is read once someone listens for the silence, and what has come of it was taken.
  await expect.poll(() => response.listenerCount('timeout') > 0 && response.req.readableLength === 0).toBe(true);
  response.emit('timeout', response.req.socket);
  const answered = await reply;
  held.release();
  return answered;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

it.each(['PUT', 'PROPFIND', 'PROPPATCH', 'LOCK'])('a slow body of %s gets an error of WebDAV', async (method) => {
  const path = '/My%20files/slow.txt';
  const reply = await silent(`/dav${path}`, ({ headers, body }) =>
    dav.send(method, path, { headers: { depth: '0', ...headers }, body }),
  );
  expect([reply.status, reply.headers['content-type']]).toEqual([408, 'application/xml; charset=utf-8']);
  expect(reply.text).toContain('<s:exception>request_timeout</s:exception>');
});

it.each([
  [1, 200],
  [2, 408],
])('a slow body of version %i of OCS gets an error of OCS', async (version, status) => {
  const path = `/ocs/v${version}.php/apps/files_sharing/api/v1/shares`;
  const { authorization } = dav;
  const reply = await silent(path, ({ headers, body }) =>
    api.send('POST', path, { headers: { authorization, 'ocs-apirequest': 'true', ...FORM, ...headers }, body }),
  );
  expect(reply.status).toBe(status);
  expect(reply.text).toContain('<statuscode>408</statuscode>');
});

it('a slow body of the API gets its error envelope', async () => {
  const path = '/api.php/files/delete';
  const reply = await silent(path, ({ headers, body }) =>
    api.send('POST', path, { headers: { ...FORM, ...headers }, body }),
  );
  expect([reply.status, reply.body]).toMatchObject([408, { success: false, code: 'request_timeout' }]);
});
