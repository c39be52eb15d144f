import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redirectUriProblem } from '../../../dist/server/oauth/clients/redirect-uris.js';
import { isScope, parseScopes, SCOPES } from '../../../dist/server/oauth/scopes.js';

describe('redirect URIs', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/cb?a=b&c=d',
    'https://192.168.1.20/cb',
    'https://[2001:db8::7]:8443/cb',
    'https://a/cb',
    'http://localhost/cb',
    'http://localhost:3000/cb',
    'http://127.0.0.1:49152/',
    'http://127.0.0.1?x',
    'http://[::1]/cb',
    'http://[::1]:49152/cb',
    'larder://oauth',
    'com.example.app:/oauth',
    'com.example.app://oauth/callback',
  ])('may be %s', (uri) => expect(redirectUriProblem(uri)).toBeNull());

  it.each([
    '',
    'app.example/cb',
    '/cb',
    '//app.example/cb',
    'http://app.example/cb',
    'http://192.168.1.20/cb',
    'http://localhost.evil.example/cb',
    'http://localhost@evil.example/cb',
    'http://127.0.0.1@evil.example/cb',
    'http://127.0.0.2/cb',
    'http://127.1/cb',
    'http://2130706433/cb',
    'http://0x7f.0.0.1/cb',
    'http://0.0.0.0/cb',
    'http:localhost/cb',
    'http:/localhost/cb',
    'http:///localhost/cb',
    'https:app.example/cb',
    'https:/app.example/cb',
    'https:///app.example/cb',
    'https://',
    'https://:443/cb',
    'https://7/cb',
    'https://%61pp.example/cb',
    'https://ann@app.example/cb',
    'https://ann:secret@app.example/cb',
    'https://@app.example/cb',
    'https://app.example/cb#',
    'https://app.example/cb#top',
    'https://*.app.example/cb',
    'https://app.example/*',
    'https://app.example\\@evil.example/',
    'https://app.example/a b',
    ' https://app.example/cb',
    'https://app.example/cb\n',
    'https://app.example/cb\0',
    'https://äpp.example/cb',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://app.example/x',
    'vbscript:x',
    'view-source:https://app.example/',
    'about:blank',
    'mailto:ann@app.example',
    'chrome-extension://x/y',
    'intent://x#Intent;end',
    'ftp://app.example/',
    'ws://app.example/',
    `https://app.example/${'x'.repeat(2_000)}`,
  ])('may not be %j', (uri) => expect(redirectUriProblem(uri)).toMatch(/^[A-Z].*\.$/));

  it('are accepted only if a browser reads them identically up to the path', () => {
    const scheme = fc.constantFrom('https:', 'http:', 'HTTPS:', 'javascript:', 'data:', 'app.x:', 'file:');
    const mess = fc.string({ unit: fc.constantFrom(...'/\\@:#?*.[]% \t\nalochst1270e-'), maxLength: 30 });
    fc.assert(
      fc.property(scheme, fc.constantFrom('', '/', '//', '//localhost', '//a.example'), mess, (...parts) => {
        const uri = parts.join('');
        fc.pre(redirectUriProblem(uri) === null);
        const url = new URL(uri);
        expect(url.hash).toBe('');
        expect(url.username + url.password).toBe('');
        expect(['javascript:', 'data:', 'file:']).not.toContain(url.protocol);
        if (url.protocol === 'http:') expect(['localhost', '127.0.0.1', '[::1]']).toContain(url.hostname);
        if (url.protocol === 'https:' || url.protocol === 'http:') {
          const written = /^https?:\/\/([^/?]+)/i.exec(uri)?.[1]?.replace(/:\d+$/, '').toLowerCase();
          expect(written).toBe(url.hostname);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('scopes (§5.1)', () => {
  it('are the eleven of the API document', () => {
    expect([...SCOPES]).toEqual(
      'profile email list metadata upload download modify delete weblink share admin'.split(' '),
    );
  });

  it.each([
    ['list', ['list']],
    ['list profile', ['profile', 'list']],
    ['list list', ['list']],
    ['  list   profile ', ['profile', 'list']],
    ['', null],
    [' ', null],
    ['all', null],
    ['list all', null],
    ['LIST', null],
    ['list,profile', null],
    ['list\nprofile', null],
    ['constructor', null],
    [undefined, null],
    [null, null],
    [['list'], null],
    [{ list: 1 }, null],
  ])('of %j are %j', (text, scopes) => expect(parseScopes(text)).toEqual(scopes));

  it('are parsed from their own text', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...SCOPES], { minLength: 1 }), (some) => {
        const parsed = parseScopes(some.join(' '));
        expect(new Set(parsed)).toEqual(new Set(some));
        expect(parseScopes(parsed?.join(' '))).toEqual(parsed);
        expect(parsed?.every(isScope)).toBe(true);
      }),
    );
  });
});
