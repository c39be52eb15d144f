import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Household } from '../support/households/household.ts';
import type { DavClient } from '../support/webdav/dav-client.ts';
import { codeOf, newBox, openTransfers, type TransferClient } from './transfers.ts';

const NFC = 'ä.txt';
const NFD = NFC.normalize('NFD');
const TAKEN = [409, 'already_exists'];
const MISSING = [404, 'not_found'];

describe('a synchronizing app, which treats each Unicode form as a different name', () => {
  let household: Household;
  let app: TransferClient;
  let files: DavClient;
  let next = 0;
  let box: string;
  let folder: string;
  const at = (name: string) => `${box}/${encodeURIComponent(name)}`;

  beforeAll(async () => {
    ({ household, app } = await openTransfers());
    files = app.app;
  });
  afterAll(() => household.close());
  beforeEach(async () => {
    ({ next, box } = await newBox(household, next + 1));
    folder = join(household.home, `box ${next}`);
    await writeFile(join(folder, NFD), 'first');
  });

  const expectUntouched = async (...others: string[]) => {
    expect((await readdir(folder)).sort()).toEqual([NFD, ...others].sort());
    expect(await readFile(join(folder, NFD), 'utf8')).toBe('first');
  };

  it.each([
    ['a small file', 'second'],
    ['a large file', 'x'.repeat(100_000)],
  ])('does not replace a file with another form of its name by %s', async (_, content) => {
    expect(codeOf(await files.put(at(NFC), content))).toEqual(TAKEN);
    await expectUntouched();
  });

  it('does not replace it by an upload in parts', async () => {
    await app.parts(`spelling-${next}`, ['sec', 'ond']);
    expect(codeOf(await app.finish(`spelling-${next}`, at(NFC)))).toEqual(TAKEN);
    await expectUntouched();
  });

  it.each(['MOVE', 'COPY'] as const)('does not replace it by %s', async (method) => {
    await writeFile(join(folder, 'other.txt'), 'second');
    expect(codeOf(await files.transfer(method, at('other.txt'), at(NFC)))).toEqual(TAKEN);
    await expectUntouched('other.txt');
  });

  it('does not merge two folders', async () => {
    const [composed, decomposed] = ['é', 'é'.normalize('NFD')];
    await mkdir(join(folder, decomposed));
    expect(codeOf(await files.send('MKCOL', at(composed)))).toEqual(TAKEN);
    expect((await files.put(`${at(composed)}/inside.txt`, 'second')).status).toBe(409);
    expect(await readdir(join(folder, decomposed))).toEqual([]);
  });

  it('replaces a file with If-Match, and renames a file to another form of its name', async () => {
    const { headers } = await files.send('HEAD', at(NFD));
    expect((await files.put(at(NFC), 'second', { 'if-match': String(headers.etag) })).status).toBe(204);
    expect(await readFile(join(folder, NFD), 'utf8')).toBe('second');
    expect((await files.transfer('MOVE', at(NFD), at(NFC), { overwrite: 'F' })).status).toBe(201);
    expect(await readdir(folder)).toEqual([NFC]);
  });

  it('does not find a file under another form of its name, so that it can detect a move', async () => {
    const statusAt = async (client: DavClient, name: string) => (await client.propfind(at(name), '0')).status;
    expect([await statusAt(files, NFD), await statusAt(files, NFC)]).toEqual([207, 404]);
    expect(await statusAt(files.at('/dav'), NFC)).toBe(207);
    expect((await files.transfer('MOVE', at(NFD), at(NFC), { overwrite: 'F' })).status).toBe(201);
    expect([await statusAt(files, NFD), await statusAt(files, NFC)]).toEqual([404, 207]);
  });

  it('does not delete, move or copy a file by another form of its name, nor what is in a folder', async () => {
    const [composed, decomposed] = ['é', 'é'.normalize('NFD')];
    await mkdir(join(folder, decomposed));
    await writeFile(join(folder, decomposed, 'inside.txt'), 'first');
    for (const path of [at(NFC), at(composed), `${at(composed)}/inside.txt`]) {
      expect(codeOf(await files.send('DELETE', path))).toEqual(MISSING);
      expect(codeOf(await files.transfer('MOVE', path, at('moved')))).toEqual(MISSING);
      expect(codeOf(await files.transfer('COPY', path, at('copied')))).toEqual(MISSING);
    }
    await expectUntouched(decomposed);
    expect(await readdir(join(folder, decomposed))).toEqual(['inside.txt']);
    for (const name of [NFD, decomposed]) expect((await files.send('DELETE', at(name))).status).toBe(204);
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not keep other programs from using either form of a name', async () => {
    expect((await files.at('/dav').put(at(NFC), 'second')).status).toBe(204);
    expect(await readFile(join(folder, NFD), 'utf8')).toBe('second');
    expect(await readdir(folder)).toEqual([NFD]);
    expect((await files.at('/dav').send('DELETE', at(NFC))).status).toBe(204);
    expect(await readdir(folder)).toEqual([]);
  });
});
