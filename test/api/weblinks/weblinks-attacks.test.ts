import { readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MINUTE } from '../../../dist/server/lib/clock.js';
import { Random } from '../../model/random.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { itInFull, sampled } from '../../support/forms.ts';
import { type LinkHousehold, openLinkHousehold, outcome } from '../../support/requests/links.ts';
import { followReplies, type OpenReplies } from '../../support/requests/open-replies.ts';

const HOME = '/ROOT/HOME';
const CONTENT = 'content of five by five!!';
let household: LinkHousehold;
let replies: OpenReplies;
const direct = { fmode: 'download' };

beforeAll(async () => {
  replies = followReplies();
  household = await openLinkHousehold();
  await writeFile(household.at('large.bin'), Buffer.alloc(24 * 1024 * 1024, 7));
});
afterAll(async () => {
  await household.close();
  replies.stop();
});

/** A link to a new file. */
async function fresh(form: Record<string, string | number> = { singleDownload: 1 }) {
  const box = await household.newBox();
  const path = `${HOME}/${box}/a.txt`;
  await writeFile(household.at(`${box}/a.txt`), CONTENT);
  const id = await household.link(path, form);
  const used = async () => Number((await household.details(`${HOME}/${box}`, 'a.txt'))?.downloads);
  const piece = (range: string, agent = 'one') =>
    household.visit(id, direct, { range: `bytes=${range}`, 'user-agent': agent });
  return { box, path, id, used, piece };
}

/** So long that nobody goes on with a download in ranges. */
async function later(): Promise<void> {
  await replies.over();
  household.clock.advance(11 * MINUTE);
}

const status = async (id: string) => (await household.visit(id)).status;

/** A browser at a link, with what its forms carry. */
async function browser(id: string) {
  const visitor = new WebVisitor(household);
  const page = await visitor.get(`/wl/?id=${id}`);
  const token = /name="form_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const send = async (name: string, more: Record<string, string> = {}, content = 'x') => {
    const key = `${Buffer.from(name).toString('hex').slice(0, 40)}00000000`;
    const query = new URLSearchParams({ id, name, sender: 'Eve', key, ...more });
    const reply = await visitor.put(`/wl/upload?${query}`, content, { 'x-form-token': token });
    return { ...reply, body: JSON.parse(reply.text) };
  };
  return { visitor, token, send };
}

describe('a download in ranges', () => {
  it('is counted when its parts are requested from different addresses', async () => {
    const { id, piece } = await fresh();
    expect((await piece('0-12', 'at home')).text).toBe(CONTENT.slice(0, 13));
    await later();
    expect((await piece('13-', 'on the way')).text).toBe(CONTENT.slice(13));
    await later();
    await household.larder.maintenance();
    expect(await status(id)).toBe(410);
  });

  itInFull.each(sampled([7, 20_261_124], 1))(
    'never sends one complete content more than the limit, whatever is tried (seed %i)',
    async (seed) => {
      const size = CONTENT.length;
      const random = new Random(seed);
      const below = (limit: number) => random.below(limit);
      for (let round = 0; round < 5; round += 1) {
        const limit = 1 + below(3);
        const { id } = await fresh({ download_limit: limit });
        const visitors = await Promise.all(
          Array.from({ length: 3 }, async () => {
            const visitor = new WebVisitor(household);
            await visitor.get(`/wl/?id=${id}`);
            return visitor;
          }),
        );
        let bytes = 0;
        for (let step = 0; step < 60; step += 1) {
          const [start, end] = [below(size), below(size)].sort((a, b) => a - b) as [number, number];
          const range = below(4) === 0 ? 'bytes=0-23' : `bytes=${start}-${end}`;
          const address = `/wl/?id=${id}&fmode=download`;
          const which = below(6);
          const send = async () => {
            const known = visitors[which];
            if (known !== undefined) return known.get(address, { range });
            return household.visit(id, direct, { range, 'user-agent': `program ${below(50)}` });
          };
          const sent = await Promise.all(Array.from({ length: 1 + below(3) }, send));
          for (const reply of sent) if (reply.status === 206) bytes += reply.text.length;
          if (below(5) === 0) await later();
          if (below(5) === 0) await household.larder.maintenance();
        }
        expect(bytes).toBeLessThan((limit + 1) * size);
        await household.signInAgain('olga');
      }
    },
  );

  it('frees its slot for the next visitor when it is abandoned', async () => {
    const { id, piece } = await fresh();
    expect((await piece('0-4')).status).toBe(206);
    await later();
    expect((await household.visit(id, direct)).text).toBe(CONTENT);
    expect(await status(id)).toBe(410);
  });

  itInFull('continues after an aborted range', async () => {
    const id = await household.link(`${HOME}/large.bin`, { singleDownload: 1 });
    const size = 24 * 1024 * 1024;
    const range = (text: string) => household.visit(id, direct, { range: `bytes=${text}` });
    const socket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca });
    const path = `/wl/?id=${id}&fmode=download`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=1000-\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    expect((await range('0-99')).status).toBe(206);
    const before = household.logged().length;
    socket.destroy();
    await expect.poll(() => household.logged().slice(before)).toContain('a download ended early');
    expect((await range('100-999')).status).toBe(206);
    expect((await range('1000-')).bytes.length).toBe(size - 1000);
    expect((await range('0-')).status).toBe(410);
  });
});

describe('a link that is used up', () => {
  it('reveals nothing and accepts nothing, whatever is requested', async () => {
    const box = await household.newBox();
    const options = { allow_downloads: 1, allow_uploads: 1, show_comments: 1 };
    const id = await household.link(`${HOME}/${box}`, { download_limit: 1, ...options });
    const { visitor, token } = await browser(id);
    expect((await household.visit(id, direct)).status).toBe(200);
    for (const path of ['/a.txt', '/nothing.txt', '/sub', '/../x', 'x']) {
      for (const fmode of ['open', 'download', 'preview']) {
        expect(outcome(await household.visit(id, { fmode, path })), `${fmode} ${path}`).toEqual([410, 'link_used_up']);
      }
    }
    for (const fmode of ['open', 'download']) {
      const comment = { form_token: token, sender: 'Eve', comment: 'still here' };
      expect((await visitor.post(`/wl/comment?id=${id}&fmode=${fmode}`, comment)).status).toBe(410);
      const type = 'multipart/form-data; boundary=b';
      const part = (name: string, value: string) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const body = `${part('form_token', token)}${part('sender', 'Eve')}${part('file"; filename="f.txt', 'x')}--b--\r\n`;
      expect((await visitor.postRaw(`/wl/send?id=${id}&fmode=${fmode}`, body, type)).status).toBe(410);
    }
    expect((await readdir(household.at(box))).sort()).toEqual(['a.txt', 'sub']);
  });

  itInFull('no longer asks for its password', async () => {
    const { id, path } = await fresh({ download_limit: 1 });
    expect((await household.visit(id, direct)).status).toBe(200);
    await household.as('olga').post('files/weblink/edit', { path, password: 'sesame' });
    for (const fmode of ['open', 'download', 'preview'])
      expect((await household.visit(id, { fmode })).status).toBe(410);
  });
});

describe('a file request', () => {
  const request = async (form: Record<string, string | number> = {}) => {
    const box = await household.newBox();
    return { box, id: await household.link(`${HOME}/${box}`, { allow_uploads: 1, ...form }) };
  };

  it('accepts no comments on items its visitors cannot see', async () => {
    const { id, box } = await request({ show_comments: 1 });
    const { visitor, token } = await browser(id);
    const form = { form_token: token, sender: 'Eve', comment: 'I know of this' };
    for (const path of ['', '&path=/a.txt', '&path=/nothing.txt', '&path=/sub/b.txt']) {
      const said = await visitor.post(`/wl/comment?id=${id}${path}`, form);
      expect([path, said.status]).toEqual([path, 403]);
    }
    const { body } = await household.as('olga').get('files/comments/list', { path: `${HOME}/${box}/a.txt` });
    expect(body.data.comments).toEqual([]);
  });

  itInFull('reveals no existing names: conflicting folders get another name', async () => {
    const { id, box } = await request();
    await writeFile(household.at(`${box}/sub/deep`), 'a file');
    const { send } = await browser(id);
    const names = ['a.txt/x.txt', 'a.txt/y.txt', 'A.TXT/z.txt', 'none.txt/x.txt', 'sub/deep/x.txt', 'SUB/x.txt', 'sub'];
    for (const name of names) {
      const { status, body } = await send(name);
      expect([name, status, body]).toEqual([name, 200, { success: true, error: false, data: { sent: name } }]);
    }
    expect((await readdir(household.at(box), { recursive: true })).sort()).toEqual([
      ...['A.TXT (3)', 'A.TXT (3)/z.txt', 'SUB (2)', 'SUB (2)/x.txt', 'a.txt', 'a.txt (2)', 'a.txt (2)/x.txt'],
      ...['a.txt (2)/y.txt', 'none.txt', 'none.txt/x.txt', 'sub', 'sub (3)', 'sub/b.txt', 'sub/deep'],
      ...['sub/deep (2)', 'sub/deep (2)/x.txt'],
    ]);
  });

  it('accepts no file that its owner could not access', async () => {
    const { id, box } = await request({ allow_downloads: 1 });
    const { send } = await browser(id);
    const folders = (count: number, length: number) => `${'d'.repeat(length)}/`.repeat(count);
    for (const more of [{}, { path: `/${folders(60, 50)}x` }]) {
      const { status, body } = await send(`${folders(60, 60)}x.txt`, more);
      expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    }
    expect((await readdir(household.at(box))).sort()).toEqual(['a.txt', 'sub']);
    expect((await send(`${folders(60, 30)}x.txt`)).status).toBe(200);
  });

  itInFull('does not search long if no folder can be created', async () => {
    const { id } = await request({ allow_downloads: 1 });
    const { send } = await browser(id);
    const messages = vi.spyOn(Worker.prototype, 'postMessage');
    onTestFinished(() => messages.mockRestore());
    for (const name of ['x.txt', 'q/x.txt', 'q/r/x.txt']) {
      expect([name, (await send(name, { path: '/a.txt' })).status]).toEqual([name, 404]);
    }
    // To the threads of the disks and of the database.
    expect(messages.mock.calls.length).toBeLessThan(100);
  });

  it('aborts uploads in progress when it is changed into a link without uploads', async () => {
    const { id, box } = await request();
    const { send } = await browser(id);
    const piece = { key: 'pieces-of-one-file', totalSize: '6' };
    expect((await send('p.txt', { ...piece, startByte: '0' }, 'abc')).body.data).toEqual({ offset: 3 });
    const path = `${HOME}/${box}`;
    await household.as('olga').post('files/weblink/edit', { path, allow_uploads: 0 });
    expect((await send('p.txt', { ...piece, startByte: '3' }, 'def')).status).toBe(403);
    expect((await readdir(household.at(box))).sort()).toEqual(['a.txt', 'sub']);
  });
});

it('a download is aborted when its link no longer allows downloads', async () => {
  const box = await household.newBox();
  await writeFile(household.at(`${box}/large.bin`), Buffer.alloc(24 * 1024 * 1024, 7));
  const id = await household.link(`${HOME}/${box}`);
  const slow = await household.api.open('GET', `/wl/?id=${id}&fmode=download`);
  const ended = new Promise<string>((resolve) =>
    slow.body.on('error', () => resolve('broken')).on('end', () => resolve('whole')),
  );
  const before = household.logged().length;
  await household.as('olga').post('files/weblink/edit', { path: `${HOME}/${box}`, allow_uploads: 1 });
  await expect.poll(() => household.logged().slice(before)).toContain('a download ended early');
  slow.body.resume();
  expect(await ended).toBe('broken');
});
