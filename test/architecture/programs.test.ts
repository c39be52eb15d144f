import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './syntax.ts';

/** Where the name of a program or browser is recorded or shown to people, or tells apart downloads of browsers without cookies. */
const RECORDED = [
  'server/nextcloud/login.ts',
  'server/oauth/program-auth.ts',
  'server/web/auth/guest-flow.ts',
  'server/web/auth/sign-in-flow.ts',
  'server/web/public-links/content.ts',
  // Shows first the steps for the system of the browser.
  'server/web/trust/routes.ts',
];

const isAbout = (pattern: RegExp) =>
  readdirSync(join(ROOT, 'server'), { encoding: 'utf8', recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `server/${path}`)
    .filter((path) => pattern.test(readFileSync(join(ROOT, path), 'utf8')))
    .toSorted();

it('no reply depends on the program that sends the request', () => {
  expect(isAbout(/['"`]user-agent['"`]/i)).toEqual(RECORDED);
  expect(isAbout(/litmus/i)).toEqual([]);
});
