import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { isInstalled } from '../support/system/is-installed.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

// The conformance suite of WebDAV servers, of the Debian package "litmus".

let household: Household;
let dav: DavClient;
let folder: string;

beforeAll(async () => {
  household = await openHousehold();
  dav = await davClient(await household.signIn());
  // It writes a log into its folder.
  folder = await mkdtemp(join(tmpdir(), 'larder-litmus-'));
});
afterAll(async () => {
  await household?.close();
  await rm(folder, { recursive: true, force: true });
});

describe.runIf(isInstalled('litmus'))('litmus', () => {
  it.each(['basic', 'copymove', 'props', 'locks', 'http'])('passes all tests of %s', async (suite) => {
    const output = await litmus(suite);
    expect(output).toMatch(new RegExp(`summary for .${suite}.: of \\d+ tests run: \\d+ passed, 0 failed`));
    expect(output).not.toMatch(/WARNING|FAIL/);
  });
});

/** Its tests skip certificates, which are those of a test. */
function litmus(suite: string): Promise<string> {
  const url = `https://localhost:${household.port}/dav/My%20files/`;
  const child = spawn('litmus', [url, dav.username, dav.password], {
    cwd: folder,
    env: { ...process.env, TESTS: suite },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => resolve(output));
  });
}
