import { copyFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { Installation } from '../../support/households/server-process.ts';

const MISSING = /larder\.sqlite-wal is missing, and the database was not closed/;

let installation: Installation;
let database: string;

beforeEach(async () => {
  installation = await Installation.create();
  database = join(installation.folder, '.larder', 'larder.sqlite');
  const api = await installation.start();
  expect((await api.put({ path: '/ROOT/HOME/a.txt' }, 'content')).status).toBe(201);
});
afterEach(() => installation.remove());

async function said(): Promise<string> {
  installation.forgetToken();
  await installation.start();
  const { attention } = await installation.control('status');
  const { problems } = await installation.doctor();
  const found = [attention as string[], problems].map((texts) => texts.filter((text) => MISSING.test(text)));
  expect(found[0]).toEqual(found[1]);
  return found.flat().join();
}

describe('a start after a crash', () => {
  it('without the log of the database reports the loss of the last writes', async () => {
    await installation.kill();
    await rm(`${database}-wal`);
    expect(await said()).toMatch(MISSING);
  });

  itInFull('reports nothing if the log exists, and neither does the start after that', async () => {
    await installation.kill();
    expect(await said()).toBe('');
    await installation.stop();
    expect(await said()).toBe('');
  });

  itInFull('reports nothing after a correct restore from a backup', async () => {
    const { path } = (await installation.control('backup.make')) as { path: string };
    await installation.kill();
    for (const end of ['', '-wal', '-shm']) await rm(`${database}${end}`, { force: true });
    await copyFile(join(path, 'larder.sqlite'), database);
    expect(await said()).toBe('');
  });
});

itInFull('a start with a copy of a closed folder reports no missing log', async () => {
  await installation.stop();
  const copy = `${installation.folder}-copy`;
  await cp(installation.folder, copy, { recursive: true });
  await rm(installation.folder, { recursive: true });
  await cp(copy, installation.folder, { recursive: true });
  expect(await said()).toBe('');
});
