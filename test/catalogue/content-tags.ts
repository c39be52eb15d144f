import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { davClient } from '../support/webdav/dav-client.ts';
import { type Means, possible, run, SIZE, TOUCHING, WRITING } from './other-programs.ts';
import { allProven, TaggedFiles } from './tagged-files.ts';

/** A file in a folder of its own, and what another program does with it. */
interface Case {
  readonly what: string;
  readonly file: string;
  readonly other: string;
  readonly reference: string;
  tag: string;
}

const LETTERS = 'a'.repeat(SIZE);

/** Tests that tags see what the disk tells. @param parent makes the folder to keep the household in; by default temporary */
export function describeContentTags(parent?: () => string): void {
  const files = new TaggedFiles();
  const { next, at, path, info, tagOf, download, upload, proven } = files;
  let number = 0;

  beforeAll(() => files.open(parent?.()));
  afterAll(() => files.household?.close());

  /** Files of an hour ago with the same bytes, which the server has received, beside another one of the same size and time. */
  async function casesOf(all: readonly (readonly [string, Means])[]): Promise<Case[]> {
    const lastModified = Math.floor(Date.now() / 1_000) - 3_600;
    return Promise.all(
      all.map(async ([what]) => {
        const number = next();
        const [file, other, reference] = [`file ${number}.txt`, `other ${number}`, `reference ${number}`] as const;
        await files.api.put({ path: path(file), lastModified }, LETTERS);
        await writeFile(join(files.household.folder, other), 'b'.repeat(SIZE));
        await writeFile(join(files.household.folder, reference), '');
        for (const one of [other, reference])
          execFileSync('touch', ['-r', at(file), join(files.household.folder, one)]);
        const tag = await tagOf(file);
        expect((await download({ 'if-none-match': tag }, file)).status).toBe(304);
        return {
          what,
          file,
          other: join(files.household.folder, other),
          reference: join(files.household.folder, reference),
          tag,
        };
      }),
    );
  }

  describe('files whose size and time stay the same', () => {
    it('have another tag after another program has written, by any means', async () => {
      const cases = await casesOf(possible(WRITING));
      const program = await davClient(files.api);
      const before = `SHA256:${createHash('sha256').update(LETTERS).digest('hex')}`;
      for (const { what, file, other, reference, tag } of cases) {
        await WRITING[what]?.(at(file), other);
        execFileSync('touch', ['-r', reference, at(file)]);
        const content = await readFile(at(file));
        expect([content.length, content.equals(Buffer.from(LETTERS))], what).toEqual([SIZE, false]);
        const dav = await program.send('GET', `/My%20files/${encodeURIComponent(file)}`);
        expect([dav.bytes.equals(content), dav.headers['oc-checksum'] === before], what).toEqual([true, false]);
        const part = await download({ range: 'bytes=1-2', 'if-range': tag }, file);
        expect([part.status, part.bytes.equals(content)], what).toEqual([200, true]);
        const whole = await download({ 'if-none-match': tag }, file);
        expect([whole.status, whole.bytes.equals(content)], what).toEqual([200, true]);
        expect((await upload({ 'if-match': tag }, 'new', file)).body.code, what).toBe('precondition_failed');
        expect(await readFile(at(file)), what).toEqual(content);
      }
      await allProven(files.household);
      for (const { what, file, tag } of cases) {
        const sha256 = createHash('sha256')
          .update(await readFile(at(file)))
          .digest('hex');
        const now = await info(file);
        expect([now.sha256, now.etag === tag], what).toEqual([sha256, false]);
        expect((await download({ 'if-none-match': now.etag }, file)).status, what).toBe(304);
        expect((await download({ 'if-none-match': tag }, file)).status, what).toBe(200);
        expect((await upload({ 'if-match': now.etag }, 'new', file)).status, what).toBe(200);
      }
    });

    it('keep their tags if another program has changed no byte', async () => {
      const cases = await casesOf(possible(TOUCHING));
      for (const { what, file, other } of cases) await TOUCHING[what]?.(at(file), other);
      // Half of them are read for who asks, the others in the background.
      for (const { file, tag } of cases.slice(0, 5)) await proven(tag, file);
      await allProven(files.household);
      for (const { what, file, tag } of cases) {
        expect(await tagOf(file), what).toBe(tag);
        expect((await download({ 'if-none-match': tag }, file)).status, what).toBe(304);
        const reply = await upload({ 'if-match': tag }, 'new', file);
        expect(reply.status, `${what} ${reply.text}`).toBe(200);
      }
    });
  });

  describe('changes by Larder', () => {
    beforeEach(async () => {
      number = next();
      files.name = `own ${number}.txt`;
      await files.api.put({ path: path() }, 'own');
    });

    it('of a name, folder or time keep the tag, and the content proven', async () => {
      const tag = await tagOf();
      const renamed = `renamed ${number}.txt`;
      await files.api.post('files/rename', { path: path(), newName: renamed });
      files.name = renamed;
      expect([await tagOf(), (await download({ 'if-none-match': tag })).status]).toEqual([tag, 304]);
      await mkdir(at(`folder ${number}`));
      await files.api.post('files/move', { path: path(), moveTo: path(`folder ${number}`) });
      files.name = `folder ${number}/${renamed}`;
      expect([await tagOf(), (await download({ 'if-none-match': tag })).status]).toEqual([tag, 304]);
      // The same bytes with another time.
      const { body } = await files.api.put({ path: path(), lastModified: 1_500_000_000 }, 'own');
      expect(body).toMatchObject({ data: { unchanged: true } });
      expect([await tagOf(), (await download({ 'if-none-match': tag })).status]).toEqual([tag, 304]);
    });

    it('of the content give it another tag, also with the same size and time', async () => {
      const tags = new Set<string>();
      for (const content of ['one', 'two', 'one']) {
        const { headers } = await files.api.put({ path: path(), lastModified: 1_500_000_000 }, content);
        expect((await download({ 'if-none-match': String(headers.etag) })).status).toBe(304);
        tags.add(String(headers.etag));
      }
      expect(tags.size).toBe(3);
    });

    it('to and from the trash keep the tag', async () => {
      const tag = await tagOf();
      const { body } = await files.api.post('files/delete', { path: path() });
      await files.api.post('files/trash/restore', { path: body.data.trash_path });
      await proven(tag);
      expect(await tagOf()).toBe(tag);
    });

    it('to and from the trash match conditions, even if another program had touched the file', async () => {
      for (const [means, status] of [
        [(file: string) => chmod(file, 0o600), 200],
        [(file: string) => writeFile(file, 'now').then(() => utimes(file, 1_500_000_000, 1_500_000_000)), 412],
      ] as const) {
        files.name = `touched ${next()}.txt`;
        await files.api.put({ path: path(), lastModified: 1_500_000_000 }, 'own');
        const tag = await tagOf();
        await means(at());
        const { body } = await files.api.post('files/delete', { path: path() });
        const restored = await files.api.post(
          'files/trash/restore',
          { path: body.data.trash_path },
          { 'if-match': tag },
        );
        expect(restored.status, restored.text).toBe(status);
      }
    });
  });

  it('a tree that is copied to another disk, or linked by a backup, keeps all of its tags', async () => {
    const names = ['tree/a.txt', 'tree/below/b.txt'];
    await mkdir(at('tree/below'), { recursive: true });
    for (const [index, file] of names.entries()) {
      await files.api.put({ path: path(file) }, `content ${index}`);
    }
    const tags = await Promise.all(names.map((file) => tagOf(file)));
    run('cp', '-al', at('tree'), join(files.household.folder, 'backup'));
    run('chmod', '-R', 'go-rwx', at('tree'));
    for (const [index, file] of names.entries()) await proven(tags[index] ?? '', file);
    await files.household.whileStopped(async () => {
      run('cp', '-a', at('tree'), join(files.household.folder, 'copied'));
      run('rm', '-r', at('tree'));
      run('mv', join(files.household.folder, 'copied'), at('tree'));
    });
    files.api = await files.household.signIn();
    for (const folder of ['tree', 'tree/below']) await files.api.get('files/browse', { path: path(folder) });
    for (const [index, file] of names.entries()) await proven(tags[index] ?? '', file);
    expect(await Promise.all(names.map((file) => tagOf(file)))).toEqual(tags);
  });
}
