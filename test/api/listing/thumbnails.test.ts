import { renameSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import type { WorkerProcess } from '../../../dist/server/workers/pool/worker-process.js';
import { DRAWING } from '../../support/content/drawing.ts';
import { watchThumbnailJobs } from '../../support/content/thumbnail-jobs.ts';
import { describeInFull, itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { fixture, looksLike } from '../../workers/thumbnail-support.ts';

let household: Household;
let api: ApiClient;
/** The names of the files that workers were given: also of those whose thumbnails are made ahead of requests. */
const handed: string[] = [];
const decodings = (...names: readonly string[]) => handed.filter((name) => names.includes(name)).length;
type Work = (made: WorkerProcess, post: () => void, message: Handed) => void;
/** What happens to the next job of a file, instead of what would. */
let instead: { readonly name: string; readonly work: Work } | null = null;

/** A job, as a worker is given it. */
interface Handed {
  readonly input: { readonly file: { paths: string[] } };
}

beforeAll(async () => {
  household = await openHousehold({
    spawnWorker: watchThumbnailJobs((made, post, message) => {
      const job = message as Handed;
      const name = basename(job.input.file.paths.at(-1) ?? '');
      handed.push(name);
      if (instead?.name !== name) return post();
      const { work } = instead;
      instead = null;
      work(made, post, job);
    }),
  });
  api = await household.signIn();
});
afterAll(() => household.close());
afterEach(() => {
  expect(household.logged()).not.toContain('unexpected failure');
});

const at = (name: string) => join(household.home, name);
const path = (name: string) => `/ROOT/HOME/${name}`;
const thumbnail = (name: string, form: Record<string, string | number> = {}) =>
  api.get('files/thumbnail', { path: path(name), ...form });
const webp = (name: string) =>
  api.send('GET', `/api.php/files/thumbnail?path=${encodeURIComponent(path(name))}`, {
    headers: { accept: 'image/avif,image/webp,*/*' },
  });
const put = (name: string, from = 'pictures/plain.jpg') => copyFile(fixture(from), at(name));
const outcome = ({ status, body }: Reply) => [status, body.code];
const restart = async (changes: Parameters<Household['restart']>[0] = {}) => {
  await household.restart(changes);
  api = await household.signIn();
};
const keptFolder = () => join(household.folder, '.larder', 'thumbnails');
/** Where a thumbnail is kept, by its tag. */
function keptAs(etag = ''): string {
  const name = etag.replaceAll('"', '');
  return join(keptFolder(), name.slice(0, 2), name);
}
const keptFiles = async () =>
  (await readdir(keptFolder(), { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) =>
    entry.isFile(),
  );
const square = (colour: string, side = 800) =>
  sharp({ create: { width: side, height: side, channels: 3, background: colour } })
    .png()
    .toBuffer();
const listed = async (name: string) => {
  const { body } = await api.get('files/browse', { path: '/ROOT/HOME', 'details[]': ['hasThumb'] });
  return (body.data.files as { filename: string; hasThumb?: boolean }[]).find(({ filename }) => filename === name);
};

describe('files/thumbnail', () => {
  it('sends a small JPEG, inline, with a validator', async () => {
    await writeFile(at('large.png'), await square('#f00'));
    const reply = await thumbnail('large.png');
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect(await looksLike(reply.bytes)).toBe('400 × 400 red red red red');
    expect(reply.headers['content-disposition']).toBe(`inline; filename="large.jpg"; filename*=UTF-8''large.jpg`);
    expect(reply.headers.vary).toContain('Accept');
    expect(reply.headers.etag).toMatch(/^"[\w.-]+"$/);
    const again = await api.send('GET', `/api.php/files/thumbnail/?path=${path('large.png')}`, {
      headers: { 'if-none-match': reply.headers.etag ?? '' },
    });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const head = await api.send('HEAD', `/api.php/files/thumbnail/?path=${path('large.png')}`);
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      String(reply.bytes.length),
      0,
    ]);
    const posted = await api.post('files/thumbnail', { path: path('large.png'), width: 100, height: 50, g: 'cover' });
    expect(await looksLike(posted.bytes)).toBe('100 × 50 red red red red');
    expect(posted.headers.etag).not.toBe(reply.headers.etag);
  });

  it('sends WebP to clients that accept it', async () => {
    await put('plain.jpg');
    const [other, plain] = [await webp('plain.jpg'), await thumbnail('plain.jpg')];
    expect([other.headers['content-type'], plain.headers['content-type']]).toEqual(['image/webp', 'image/jpeg']);
    expect(await looksLike(other.bytes)).toBe('64 × 48 red green blue yellow');
    expect(other.headers.etag).not.toBe(plain.headers.etag);
    for (const accept of ['image/webp;q=0, image/jpeg', 'image/*, image/webp ; Q=0.0']) {
      const { headers } = await api.send('GET', `/api.php/files/thumbnail?path=${path('plain.jpg')}`, {
        headers: { accept },
      });
      expect(headers['content-type'], accept).toBe('image/jpeg');
    }
  });

  it('refuses invalid values, by name', async () => {
    await put('plain.jpg');
    await mkdir(at('folder'));
    await writeFile(at('words.txt'), 'words');
    await writeFile(at('empty.jpg'), '');
    await writeFile(at('words.jpg'), 'words that somebody called a picture');
    for (const form of [{ width: 0 }, { height: 2049 }, { width: 'wide' }, { width: -5 }, { g: 'stretch' }]) {
      expect(outcome(await thumbnail('plain.jpg', form)), JSON.stringify(form)).toEqual([400, 'invalid_parameter']);
    }
    expect(outcome(await thumbnail('nowhere.jpg'))).toEqual([404, 'not_found']);
    expect(outcome(await thumbnail('folder'))).toEqual([400, 'invalid_path']);
    expect(outcome(await api.get('files/thumbnail', { path: '/PHOTOS' }))).toEqual([400, 'invalid_path']);
    expect(outcome(await api.get('files/thumbnail', {}))).toEqual([400, 'missing_parameter']);
    for (const name of ['words.txt', 'empty.jpg', 'words.jpg']) {
      const reply = await thumbnail(name);
      expect(outcome(reply), name).toEqual([415, 'unsupported_media']);
      expect(reply.headers).not.toHaveProperty('etag');
    }
  });

  it('shows the present content: overwritten by the API, by another program, or by another file of the name', async () => {
    const look = async () => (await looksLike((await thumbnail('now.png')).bytes)).split(' ')[3];
    await api.put({ path: path('now.png') }, await square('#f00'));
    expect(await look()).toBe('red');
    await api.put({ path: path('now.png') }, await square('#0f0'));
    expect(await look()).toBe('green');
    await writeFile(at('now.png'), await square('#00f'));
    expect(await look()).toBe('blue');
    await rm(at('now.png'));
    expect(outcome(await thumbnail('now.png'))).toEqual([404, 'not_found']);
    await writeFile(at('now.png'), await square('#ff0'));
    expect(await look()).toBe('yellow');
  });

  it('decodes a picture once for concurrent requests, and not again after a rename or a restart', async () => {
    await writeFile(at('once.png'), await square('#0f0', 2_000));
    const replies = await Promise.all(Array.from({ length: 20 }, () => thumbnail('once.png')));
    expect(new Set(replies.map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1);
    expect(decodings('once.png')).toBe(1);
    await api.post('files/rename', { path: path('once.png'), newName: 'renamed.png' });
    const kept = keptAs(replies[0]?.headers.etag);
    await expect.poll(() => readFile(kept).catch(() => null)).toEqual(replies[0]?.bytes);
    await restart();
    const after = await thumbnail('renamed.png');
    expect(after.headers.etag).toBe(replies[0]?.headers.etag);
    expect(after.bytes.equals(replies[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(decodings('once.png', 'renamed.png')).toBe(1);
  });

  itInFull('regenerates what is lost or truncated in its cache folder, which may be deleted at any time', async () => {
    await writeFile(at('kept.png'), await square('#00f'));
    const first = await thumbnail('kept.png');
    const file = keptAs(first.headers.etag);
    await expect.poll(() => readFile(file).catch(() => null)).toEqual(first.bytes);
    for (const damage of [
      () => truncate(file, 100),
      () => truncate(file, 0),
      () => rm(keptFolder(), { recursive: true }),
    ]) {
      await restart();
      await damage();
      expect((await thumbnail('kept.png')).bytes.equals(first.bytes)).toBe(true);
      await expect.poll(() => readFile(file).catch(() => null)).toEqual(first.bytes);
    }
  });
});

describe('a picture that cannot be decoded', () => {
  it('costs only its own thumbnail, and is not tried again until it changes', async () => {
    await put('crash.jpg', 'pictures/camera.jpg');
    await put('well.jpg', 'pictures/described.jpg');
    expect((await listed('crash.jpg'))?.hasThumb).toBe(true);
    instead = {
      name: 'crash.jpg',
      work: (made, post) => {
        // In this order: a worker that is killed afterwards could have answered already.
        made.kill();
        post();
      },
    };
    expect(outcome(await thumbnail('crash.jpg'))).toEqual([415, 'unsupported_media']);
    expect((await thumbnail('well.jpg')).status).toBe(200);
    expect((await listed('crash.jpg'))?.hasThumb).toBe(false);
    const before = decodings('crash.jpg');
    expect(outcome(await thumbnail('crash.jpg', { width: 99 }))).toEqual([415, 'unsupported_media']);
    await restart();
    expect(outcome(await thumbnail('crash.jpg'))).toEqual([415, 'unsupported_media']);
    expect(decodings('crash.jpg') - before).toBe(0);
    // Another content, of the same name.
    await put('crash.jpg', 'pictures/orientation-1.jpg');
    await utimes(at('crash.jpg'), 1_700_000_000, 1_700_000_000);
    expect((await thumbnail('crash.jpg')).status).toBe(200);
    expect((await listed('crash.jpg'))?.hasThumb).toBe(true);
  });

  itInFull('is tried again after a day, when it may have been an accident', async () => {
    await put('accident.jpg', 'pictures/camera.jpg');
    instead = { name: 'accident.jpg', work: (made) => made.kill() };
    expect(outcome(await thumbnail('accident.jpg'))).toEqual([415, 'unsupported_media']);
    household.clock.advance(25 * 3_600_000);
    api = await household.signIn();
    expect((await thumbnail('accident.jpg')).status).toBe(200);
  });

  itInFull('affects only the shape that was too demanding', async () => {
    const banner = `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="100"><rect width="100%" height="100%" fill="#f00"/></svg>`;
    await writeFile(at('banner.svg'), banner);
    expect((await thumbnail('banner.svg', { width: 2048, height: 2048, g: 'cover' })).status).toBe(200);
    expect((await thumbnail('banner.svg', { width: 1, height: 2048, g: 'cover' })).status).toBe(200);
    expect(await looksLike((await thumbnail('banner.svg')).bytes)).toBe('400 × 10 red red red red');
    // Whoever asks for more than a decoder can do in its time takes nothing away from those who ask for less.
    await put('heavy.jpg', 'pictures/camera.jpg');
    instead = { name: 'heavy.jpg', work: (made) => made.kill() };
    expect(outcome(await thumbnail('heavy.jpg', { width: 2048, height: 2048 }))).toEqual([415, 'unsupported_media']);
    const before = decodings('heavy.jpg');
    expect(outcome(await thumbnail('heavy.jpg', { width: 2048, height: 2048 }))).toEqual([415, 'unsupported_media']);
    expect(decodings('heavy.jpg') - before).toBe(0);
    expect((await listed('heavy.jpg'))?.hasThumb).toBe(true);
    expect((await thumbnail('heavy.jpg')).status).toBe(200);
  });

  it('does not affect files renamed while they waited, if workers use names', async () => {
    await put('before.jpg', 'pictures/camera.jpg');
    instead = {
      name: 'before.jpg',
      work: (_made, post, { input: { file } }) => {
        file.paths = file.paths.slice(-1);
        renameSync(at('before.jpg'), at('after.jpg'));
        post();
      },
    };
    expect(outcome(await thumbnail('before.jpg'))).toEqual([404, 'not_found']);
    expect((await thumbnail('after.jpg')).status).toBe(200);
    expect((await listed('after.jpg'))?.hasThumb).toBe(true);
  });

  it('is forgotten with the file', async () => {
    await writeFile(at('gone.jpg'), 'no picture');
    expect((await thumbnail('gone.jpg')).status).toBe(415);
    await api.get('files/browse', { path: '/ROOT/HOME' });
    const file = join(household.folder, '.larder', 'larder.sqlite');
    const count = async () => {
      const connection = await Connection.open(file);
      const [row] = await connection.all<{ n: number }>('SELECT count(*) AS n FROM thumbnail_failures');
      await connection.close();
      return row?.n ?? -1;
    };
    await household.larder.maintenance();
    const before = await count();
    await api.post('files/delete', { path: path('gone.jpg'), permanent: 1 });
    await household.larder.maintenance();
    expect(before - (await count())).toBe(1);
  });
});

describe('hasThumb', () => {
  it('is reported for every item of a listing and of a search', async () => {
    await mkdir(at('kinds'));
    const names = ['a.jpg', 'b.heic', 'c.svg', 'd.pdf', 'e.mp3', 'f.txt', 'g.mp4', 'h.zip', 'empty.jpg', 'none'];
    for (const name of names) await writeFile(at(join('kinds', name)), name.startsWith('empty') ? '' : DRAWING);
    await mkdir(at(join('kinds', 'folder.jpg')));
    const form = { path: path('kinds'), 'details[]': ['hasThumb'] };
    const { body } = await api.get('files/browse', form);
    const files = body.data.files as { filename: string; hasThumb: boolean }[];
    expect(files.filter(({ hasThumb }) => hasThumb).map(({ filename }) => filename)).toEqual([
      'a.jpg',
      'b.heic',
      'c.svg',
      'd.pdf',
      'e.mp3',
    ]);
    const found = await api.post('files/search', { ...form, filename: 'jpg' });
    expect(
      (found.body.data.files as { filename: string }[]).map((file) =>
        Object.entries(file)
          .slice(0, 1)
          .concat(Object.entries(file).filter(([key]) => key === 'hasThumb')),
      ),
    ).toEqual(
      expect.arrayContaining([
        [
          ['filename', 'a.jpg'],
          ['hasThumb', true],
        ],
      ]),
    );
    // Of videos only where there is something that opens them.
    await restart({ ffmpeg: '/usr/bin/ffmpeg' });
    const again = await api.get('files/browse', form);
    expect(
      (again.body.data.files as { filename: string; hasThumb: boolean }[]).find(({ filename }) => filename === 'g.mp4')
        ?.hasThumb,
    ).toBe(true);
    await restart();
  });
});

describeInFull('a new upload', () => {
  it('has its thumbnail before it is requested', async () => {
    const before = (await keptFiles()).length;
    await api.put({ path: path('sent.png') }, await square('#ff0'));
    await api.put({ path: path('sent.txt') }, 'words');
    await expect.poll(async () => (await keptFiles()).length).toBe(before + 1);
    const made = decodings('sent.png');
    expect(await looksLike((await webp('sent.png')).bytes)).toBe('400 × 400 yellow yellow yellow yellow');
    expect(decodings('sent.png')).toBe(made);
  });
});
