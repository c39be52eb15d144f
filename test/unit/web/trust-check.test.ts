import { expect, it } from 'vitest';
import { isFromHome } from '../../../dist/server/http/connection/at-home.js';
import { FailedHandshakes } from '../../../dist/server/http/connection/failed-handshakes.js';
import { checkOrigins } from '../../../dist/server/web/trust/check-addresses.js';

const ADDRESSES = [
  'https://larder-attic.local:8443/home',
  'https://attic:8443/home',
  'https://192.168.1.20:8443/home',
  'https://[fd00::20]:8443/home',
  'https://10.0.0.9:8443/home',
  'https://localhost:8443/home',
];

it.each([
  [
    'by name: the address that was reached first',
    'attic:8443',
    '192.168.1.20',
    ['https://192.168.1.20:8443', 'https://larder-attic.local:8443', 'https://10.0.0.9:8443'],
  ],
  [
    'by address: names first',
    '192.168.1.20:8443',
    '::ffff:192.168.1.20',
    ['https://larder-attic.local:8443', 'https://attic:8443', 'https://10.0.0.9:8443'],
  ],
  ['on this computer: only what means it', 'localhost:8443', '127.0.0.1', ['https://127.0.0.1:8443']],
  ['through the port of a proxy: nothing', 'files.example', '192.168.1.20', []],
  ['without a host: nothing', '', '192.168.1.20', []],
])('checks whether a device trusts the server at other names, %s', (_name, used, arrivedAt, origins) => {
  expect(checkOrigins({ addresses: ADDRESSES, used, arrivedAt, covers: () => true })).toEqual(origins);
});

it('checks nothing while the server does not listen', () => {
  expect(checkOrigins({ addresses: [], used: 'attic', arrivedAt: '127.0.0.1', covers: () => true })).toEqual([]);
});

it.each([
  ['127.0.0.1', {}, true],
  ['::ffff:192.168.1.7', {}, true],
  ['fe80::1%eth0', {}, true],
  ['fd12::7', {}, true],
  ['2001:db8:0:7::99', {}, true],
  ['2001:db8:0:8::99', {}, false],
  ['203.0.113.7', {}, false],
  ['192.168.1.7', { 'x-forwarded-for': '203.0.113.7' }, false],
])('a request from %s with %j is local: %s', (remoteAddress, headers, expected) => {
  const request = { socket: { remoteAddress }, headers } as unknown as Parameters<typeof isFromHome>[0];
  expect(isFromHome(request, ['192.168.1.20', '2001:db8:0:7::1'])).toBe(expected);
});

it('a request through a trusted proxy has the address that the proxy states', () => {
  const headers = { 'x-forwarded-for': '192.168.1.7' };
  const request = { socket: { remoteAddress: '192.168.1.2' }, headers, ip: '192.168.1.7' };
  expect(isFromHome(request as unknown as Parameters<typeof isFromHome>[0], [])).toBe(true);
});

it('counts refused connections by address, and forgets the oldest of very many', () => {
  const failures = new FailedHandshakes();
  const alert = Object.assign(new Error('alert'), { code: 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN' });
  failures.note(alert, '192.168.1.7');
  failures.note(alert, '::ffff:192.168.1.7');
  failures.note(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), '192.168.1.7');
  failures.note(alert, undefined);
  expect(failures.of('192.168.1.7')).toEqual({ refused: 2, ended: 1 });
  expect(failures.of('192.168.1.8')).toEqual({ refused: 0, ended: 0 });
  for (let number = 0; number < 1_000; number += 1) failures.note(alert, `10.0.${number >> 8}.${number & 255}`);
  expect(failures.of('192.168.1.7')).toEqual({ refused: 0, ended: 0 });
  expect(failures.of('10.0.3.231')).toEqual({ refused: 1, ended: 0 });
});
