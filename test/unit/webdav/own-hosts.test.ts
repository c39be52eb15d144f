import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { pathOfReference } from '../../../dist/server/webdav/address.js';

/** A server whose certificate states one name beside a wildcard. */
const isOwnHost = (host: string) => host === 'nas.home.example';

function pathOf(reference: string, host: string): string | null {
  const request = { headers: { host }, url: '/dav/a' } as unknown as IncomingMessage;
  return pathOfReference(reference, request, { isOwnHost });
}

it.each([
  ['https://files.home.example/dav/b', 'files.home.example', '/dav/b'],
  ['https://FILES.home.example:443/dav/b', 'files.home.example', '/dav/b'],
  ['https://files.home.example/dav/b', 'files.home.example:443', '/dav/b'],
  ['http://files.home.example:8443/dav/b', 'files.home.example:8443', '/dav/b'],
  ['https://files.home.example/dav/b', '127.0.0.1:8443', null],
  ['https://mail.home.example/dav/b', 'files.home.example', null],
  ['https://nas.home.example/dav/b', '127.0.0.1:8443', '/dav/b'],
  ['https://nas.home.example:8443/dav/b', '127.0.0.1:8443', '/dav/b'],
  ['https://nas.home.example:444/dav/b', '127.0.0.1:8443', null],
  ['/dav/b', 'files.home.example', '/dav/b'],
  ['//mail.home.example/dav/b', 'files.home.example', null],
])('%s in a request to %s is %s', (reference, host, expected) => {
  expect(pathOf(reference, host)).toBe(expected);
});
