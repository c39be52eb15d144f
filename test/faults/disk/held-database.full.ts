import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import { OWNER } from '../../support/households/household.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { like, t } from '../../support/server-texts.ts';

const HOME = '/ROOT/HOME';
/** Uploads at the same time. If each waited for the database after the one before, the test would reach its limit. */
const MANY = 64;

let installation: Installation;
let api: ApiClient;
let other: Connection;

beforeAll(async () => {
  installation = await Installation.create();
  api = await installation.start();
  await put('kept.txt', 'kept');
  // This process is another program to the server.
  other = await Connection.open(join(installation.folder, '.larder', 'larder.sqlite'));
});
afterAll(async () => {
  await other.close();
  await installation.remove();
});

const put = (name: string, content: string) => api.put({ path: `${HOME}/${name}` }, content);
const text = async (name: string) => (await api.get('files/download', { path: `${HOME}/${name}` })).text;
const names = async () =>
  (await api.get('files/browse', { path: HOME })).body.data.files.map(({ filename }: { filename: string }) => filename);
const signIn = () => installation.token(OWNER.username, OWNER.password).catch((error: Error) => error.message);
const said = ({ status, text: body, body: { code } }: Reply) => {
  expect(body).not.toMatch(/SQLITE/);
  return [status, code];
};

it('a database that another program locks briefly delays writes, while reading continues', async () => {
  await other.exec('BEGIN EXCLUSIVE');
  const waiting = put('waited.txt', 'x');
  expect(await text('kept.txt')).toBe('kept');
  await other.exec('COMMIT');
  expect((await waiting).status).toBe(201);
});

it('one that is locked for long is reported everywhere, and works afterwards', async () => {
  // What it writes meanwhile is newer than all that the server has seen.
  await other.exec("BEGIN IMMEDIATE; UPDATE accounts SET description = 'by another program'");
  const many = Array.from({ length: MANY }, (_, n) => put(`busy-${n}.txt`, `busy ${n}`));
  const door = signIn();
  expect(await names()).toContain('kept.txt');
  const replies = (await Promise.all(many)).map(said);
  expect(replies).toEqual(replies.map(() => [503, 'temporarily_unavailable']));
  expect(await door).toContain(t('api.service.databaseBusy'));
  await other.exec('COMMIT');
  const after = await put('busy-0.txt', 'again');
  expect([after.body.error, after.status < 300]).toEqual([false, true]);
  expect(await signIn()).not.toMatch(/no token/);
  for (const name of await names()) {
    const [, n] = /^busy-(\d+)\.txt$/.exec(name) ?? [];
    // What was refused is whole where it is there.
    if (n !== undefined && n !== '0') expect(await text(name)).toBe(`busy ${n}`);
  }
  await expect
    .poll(async () => {
      const { problems, notes } = await installation.doctor();
      return [...problems, ...notes.filter((note) => /other programs|belongs to nothing|interrupted/.test(note))];
    })
    .toEqual([]);
});

it('new files are listed while it is locked, with one log entry, and the doctor repairs nothing of them', async () => {
  await other.exec('BEGIN IMMEDIATE');
  const deep = join(installation.home, 'by hand', 'deep');
  await mkdir(deep, { recursive: true });
  await writeFile(join(deep, 'new.txt'), 'new');
  for (let time = 0; time < 2; time += 1) {
    const { body } = await api.get('files/browse', { path: `${HOME}/by hand/deep` });
    expect(body.data.files).toMatchObject([{ filename: 'new.txt' }]);
  }
  const log = () => readFile(join(installation.folder, '.larder', 'logs', 'larder.log'), 'utf8');
  await expect.poll(async () => (await log()).match(/failed to record its new files/g)).toHaveLength(1);
  const { repaired, notes } = await installation.control('doctor', { repair: true });
  await other.exec('COMMIT');
  expect(repaired).toEqual([]);
  expect(notes).toContainEqual(expect.stringMatching(/3 new .* could not be repaired: .*busy/i));
  // Who sees a change on the disk may write some of it down before the doctor does.
  const again = await installation.control('doctor', { repair: true });
  expect(String(again.repaired)).toMatch(
    new RegExp(`^$|${like('api.doctor.filesReconciled', { summary: '' }).source.slice(0, -2)}[1-3] new`),
  );
  const last = await installation.control('doctor', { repair: true });
  expect(last).toMatchObject({ ok: true, repaired: [] });
  expect(String(last.notes)).not.toMatch(/new|remembered/);
});

it('one that is locked at a start is reported in one sentence', async () => {
  await installation.kill();
  await other.exec('BEGIN IMMEDIATE');
  const message = await installation.start().then(
    () => 'it started',
    (error: Error) => error.message,
  );
  await other.exec('COMMIT');
  expect(message).toMatch(
    new RegExp(`larder: ${like('api.doctor.databaseBusy').source} ${like('api.doctor.databaseBusyAdvice').source}`),
  );
  expect(message.trim().split('\n')).toHaveLength(1);
});
