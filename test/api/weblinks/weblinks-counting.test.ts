import { truncate, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../dist/server/lib/clock.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { readZip } from '../../support/content/read-zip.ts';
import { itInFull } from '../../support/forms.ts';
import { type LinkHousehold, openLinkHousehold, outcome, pressDownload } from '../../support/requests/links.ts';

const HOME = '/ROOT/HOME';
const SIZE = 24 * 1024 * 1024;
let household: LinkHousehold;
const direct = { fmode: 'download' };

beforeAll(async () => {
  household = await openLinkHousehold();
  await writeFile(household.at('large.bin'), Buffer.alloc(SIZE, 7));
});
afterAll(() => household.close());

/** A link to a new file. */
async function fresh(form: Record<string, string | number>): Promise<{ id: string; used: () => Promise<number> }> {
  const box = await household.newBox();
  await writeFile(household.at(`${box}/a.txt`), 'content of five by five!!');
  const id = await household.link(`${HOME}/${box}/a.txt`, form);
  const used = async () => Number((await household.details(`${HOME}/${box}`, 'a.txt'))?.downloads);
  return { id, used };
}

/** Begins a download and breaks it off after its first bytes. */
async function breakOff(path: string): Promise<void> {
  const response = await household.api.open('GET', path);
  for await (const _piece of response.body) break;
  response.body.destroy();
}

/** What is given back is given back when the connection is known to be gone. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  await expect.poll(check).toBe(true);
}

describe('a download limit', () => {
  it('allows only one of a hundred concurrent visitors to use a single-download link', async () => {
    const { id } = await fresh({ singleDownload: 1 });
    const replies = await Promise.all(Array.from({ length: 100 }, () => household.visit(id, direct)));
    const counts = new Map<number, number>();
    for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ 200: 1, 410: 99 });
    expect(outcome(await household.visit(id, direct))).toEqual([410, 'link_used_up']);
  });

  it('allows only one of a hundred visitors to use it in ranges, too', async () => {
    const { id } = await fresh({ singleDownload: 1 });
    const all = { range: 'bytes=0-' };
    const replies = await Promise.all(Array.from({ length: 100 }, () => household.visit(id, direct, all)));
    expect(replies.filter(({ status }) => status === 206)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 410)).toHaveLength(99);
  });

  itInFull('allows only one of a hundred visitors who press the button to use it', async () => {
    const { id } = await fresh({ singleDownload: 1 });
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => pressDownload(household.api, id, { 'user-agent': `browser ${index}` })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 410)).toHaveLength(99);
  });

  it('counts to the limit exactly, on every path', async () => {
    const { id, used } = await fresh({ download_limit: 3 });
    expect((await household.visit(id, direct)).status).toBe(200);
    expect((await pressDownload(household.api, id)).status).toBe(200);
    expect(await used()).toBe(2);
    expect((await household.visit(id, { fmode: 'open' })).status).toBe(200);
    expect(await used()).toBe(3);
    for (const query of [direct, { fmode: 'open' }, {}]) expect((await household.visit(id, query)).status).toBe(410);
    expect((await pressDownload(household.api, id)).status).toBe(410);
  });

  it('does not count HEAD, pages, robots that follow links, or cached content', async () => {
    const { id, used } = await fresh({ singleDownload: 1 });
    const head = await household.api.send('HEAD', `/wl/?id=${id}&fmode=download`);
    expect([head.status, head.headers['content-length']]).toEqual([200, '25']);
    for (const agent of ['WhatsApp/2.23', 'facebookexternalhit/1.1', 'Slackbot-LinkExpanding 1.0', 'TelegramBot']) {
      const page = await household.visit(id, {}, { 'user-agent': agent, accept: 'text/html' });
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('content of');
    }
    const known = await household.visit(id, direct, { 'if-none-match': head.headers.etag ?? '' });
    expect(known.status).toBe(304);
    expect((await household.visit(id, direct, { range: 'bytes=9000-' })).status).toBe(416);
    expect((await household.visit(id, direct, { 'if-match': '"another"' })).status).toBe(412);
    expect(await used()).toBe(0);
    expect((await household.visit(id, direct)).text).toContain('content of');
  });

  it('counts the ranges of one download once, sequential and concurrent', async () => {
    const { id, used } = await fresh({ download_limit: 2 });
    const parts: string[] = [];
    for (let start = 0; start < 25; start += 5) {
      const reply = await household.visit(id, direct, { range: `bytes=${start}-${start + 4}` });
      expect(reply.status).toBe(206);
      parts.push(reply.text);
    }
    expect(parts.join('')).toHaveLength(25);
    await expect.poll(used).toBe(1);
    const ranges = Array.from({ length: 5 }, (_, index) => `bytes=${index * 5}-${index * 5 + 4}`);
    const replies = await Promise.all(ranges.map((range) => household.visit(id, direct, { range })));
    expect(replies.map(({ status }) => status)).toEqual([206, 206, 206, 206, 206]);
    expect(await used()).toBe(2);
    expect((await household.visit(id, direct, { range: 'bytes=0-4' })).status).toBe(410);
  });

  itInFull('counts ranges of others, and of complete downloads, separately', async () => {
    const { id } = await fresh({ singleDownload: 1 });
    const mine = { range: 'bytes=0-9', 'user-agent': 'one' };
    expect((await household.visit(id, direct, mine)).status).toBe(206);
    expect((await household.visit(id, direct, { ...mine, 'user-agent': 'another' })).status).toBe(410);
    expect((await household.visit(id, direct, { ...mine, range: 'bytes=10-' })).status).toBe(206);
    for (const range of ['bytes=0-9', 'bytes=5-', 'bytes=24-24', 'bytes=0-']) {
      expect((await household.visit(id, direct, { ...mine, range })).status).toBe(410);
    }
  });

  it('allows phones to request the beginning before the whole', async () => {
    const { id } = await fresh({ singleDownload: 1 });
    for (const range of ['bytes=0-1', 'bytes=0-1', 'bytes=0-']) {
      expect((await household.visit(id, { fmode: 'open' }, { range, 'user-agent': 'AppleCoreMedia/1.0' })).status).toBe(
        206,
      );
    }
    expect((await household.visit(id, direct)).status).toBe(410);
  });

  it('does not count an early abort, and lets it continue', async () => {
    const id = await household.link(`${HOME}/large.bin`, { singleDownload: 1 });
    const path = `/wl/?id=${id}&fmode=download`;
    const slow = await household.api.open('GET', path);
    expect(slow.statusCode).toBe(200);
    expect((await household.visit(id, direct)).status).toBe(410);
    slow.body.destroy();
    slow.body.on('error', () => undefined);
    await eventually(async () => (await household.visit(id)).status === 200);
    await breakOff(path);
    await eventually(async () => (await household.visit(id)).status === 200);
    const rest = await household.visit(id, direct, { range: `bytes=1000-` });
    expect([rest.status, rest.bytes.length]).toEqual([206, SIZE - 1000]);
    expect((await household.visit(id, direct)).status).toBe(410);
  });

  it('counts a download of all but its last byte, each time', async () => {
    const { id, used } = await fresh({ download_limit: 3 });
    for (let time = 1; time <= 3; time += 1) {
      expect((await household.visit(id, direct, { range: 'bytes=0-23' })).status).toBe(206);
      await expect.poll(used).toBe(time);
    }
    expect((await household.visit(id, direct, { range: 'bytes=0-23' })).status).toBe(410);
  });

  it('adds up uncounted bytes, regardless of their receivers and pauses', async () => {
    const { id, used } = await fresh({ download_limit: 1 });
    let bytes = 0;
    let index = 0;
    for (; index < 20; index += 1) {
      // Each another program, four fifths at a time, with as long between them that nothing is under way.
      const headers = { range: 'bytes=0-19', 'user-agent': `program ${index}` };
      const reply = await household.visit(id, direct, headers);
      if (reply.status !== 206) break;
      bytes += reply.bytes.length;
      household.clock.advance(11 * MINUTE);
      await household.larder.maintenance();
    }
    expect(index).toBeLessThan(3);
    expect(bytes).toBeLessThan(2 * 25);
    await household.signInAgain('olga');
    expect(await used()).toBe(1);
  });

  itInFull('counts a repeated range, also with a cookie and alternating with another one', async () => {
    for (const ranges of [['0-21'], ['0-21', '3-24']]) {
      for (const visitor of [null, new WebVisitor(household)]) {
        const { id } = await fresh({ singleDownload: 1 });
        await visitor?.get(`/wl/?id=${id}`);
        let bytes = 0;
        for (let time = 0; time < 12; time += 1) {
          const range = `bytes=${ranges[time % ranges.length]}`;
          const path = `/wl/?id=${id}&fmode=download`;
          const reply = await (visitor === null
            ? household.visit(id, direct, { range })
            : visitor.get(path, { range }));
          if (reply.status === 206) bytes += reply.text.length;
        }
        expect(bytes).toBeLessThan(2 * 25);
      }
    }
  });

  it('keeps uncounted bytes over a restart of the server', async () => {
    const { id } = await fresh({ singleDownload: 1 });
    let bytes = 0;
    for (let time = 0; time < 4; time += 1) {
      const reply = await household.visit(id, direct, { range: 'bytes=0-19' });
      if (reply.status === 206) bytes += reply.text.length;
      await household.restart();
    }
    await household.signInAgain('olga');
    expect(bytes).toBeLessThan(2 * 25);
  });

  it('includes a file in an archive once, however often it is requested', async () => {
    const box = await household.newBox();
    await writeFile(household.at(`${box}/only.txt`), 'x'.repeat(10_000));
    const id = await household.link(`${HOME}/${box}`, { download_limit: 1 });
    const paths = ['/only.txt', '/only.txt', '/only.txt', '/a.txt'];
    const form = new URLSearchParams(paths.map((path) => ['path[]', path]));
    const zip = await household.api.send('POST', `/wl/get?id=${id}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    expect(zip.status).toBe(200);
    expect(zip.bytes.length).toBeLessThan(15_000);
    const names = Object.keys(await readZip(zip.bytes)).filter((name) => name.endsWith('only.txt'));
    expect(names).toHaveLength(1);
  });

  itInFull('adds up aborted downloads', async () => {
    const id = await household.link(`${HOME}/large.bin`, { singleDownload: 1 });
    let bytes = 0;
    for (let index = 0; index < 10; index += 1) {
      const before = household.logged().length;
      const { statusCode, body } = await household.api.open('GET', `/wl/?id=${id}&fmode=download`);
      if (statusCode !== 200) {
        await body.dump();
        break;
      }
      let came = 0;
      for await (const piece of body) {
        came += piece.length;
        if (came > SIZE / 2) break;
      }
      bytes += came;
      body.destroy();
      // Known to be gone, or counted.
      await expect.poll(() => household.logged().slice(before)).toContain('a download ended early');
    }
    expect(bytes).toBeLessThan(2 * SIZE);
    expect((await household.visit(id)).status).toBe(410);
  });

  it('accepts the ticket of a button only from the browser that pressed it, and counts repeated bytes', async () => {
    const { id, used } = await fresh({ download_limit: 2 });
    const visitor = new WebVisitor(household);
    await visitor.get(`/wl/?id=${id}`);
    expect(visitor.cookies.has('__Host-larder-link')).toBe(true);
    const pressed = await visitor.post(`/wl/get?id=${id}`, { all: '1' });
    const address = pressed.location ?? '';
    for (let index = 0; index < 10; index += 1) {
      const other = new WebVisitor(household);
      if (index % 2 === 0) await other.get(`/wl/?id=${id}`);
      expect((await other.get(address)).status, 'of another browser').toBe(404);
    }
    expect(await used()).toBe(0);
    const part = (range: string) => visitor.get(address, { range: `bytes=${range}` });
    expect((await part('0-9')).status).toBe(206);
    expect((await part('10-24')).status).toBe(206);
    await expect.poll(used).toBe(1);
    // All of it has gone out: what comes now is another download.
    expect((await part('24-24')).status).toBe(206);
    await expect.poll(used).toBe(2);
    // It is looked at once more, and goes out whole: by the slot that it has already.
    expect((await part('0-24')).status).toBe(206);
    expect((await part('0-24')).status).toBe(410);
  });

  itInFull('counts each download of a program without cookies by the same button', async () => {
    const { id, used } = await fresh({ download_limit: 1 });
    const plain = new WebVisitor(household);
    const pressed = await plain.post(`/wl/get?id=${id}`, { all: '1' });
    plain.cookies.clear();
    expect((await plain.get(pressed.location ?? '')).status).toBe(200);
    await expect.poll(used).toBe(1);
    expect((await plain.get(pressed.location ?? '')).status).toBe(410);
  });

  itInFull('allows a download that was aborted near its end to continue, and counts it once', async () => {
    // What is left must not fit into the buffers of the connection: the server would have sent all of it.
    const size = 8 * SIZE;
    await writeFile(household.at('huge.bin'), '');
    await truncate(household.at('huge.bin'), size);
    const id = await household.link(`${HOME}/huge.bin`, { singleDownload: 1 });
    const path = `/wl/?id=${id}&fmode=download`;
    const before = household.logged().length;
    const { body } = await household.api.open('GET', path);
    let came = 0;
    for await (const chunk of body) {
      came += chunk.length;
      if (came > size * 0.92) break;
    }
    body.destroy();
    await expect.poll(() => household.logged().slice(before)).toContain('a download ended early');
    const rest = await household.visit(id, direct, { range: `bytes=${came}-` });
    expect([rest.status, came + rest.bytes.length]).toEqual([206, size]);
    expect((await household.visit(id, direct)).status).toBe(410);
  });

  it('frees the slot of a download that is idle for too long', async () => {
    const { id } = await fresh({ singleDownload: 1 });
    expect((await household.visit(id, direct, { range: 'bytes=0-9' })).status).toBe(206);
    household.clock.advance(5 * MINUTE);
    expect((await household.visit(id, direct, { 'user-agent': 'another' })).status).toBe(410);
    household.clock.advance(11 * MINUTE);
    await household.larder.maintenance();
    expect((await household.visit(id, direct, { 'user-agent': 'another' })).status).toBe(200);
    await household.signInAgain('olga');
  });

  itInFull(
    'counts a folder as one download, with an announced length, and frees the slot of an aborted one',
    async () => {
      const box = await household.newBox();
      await household.put(`${box}/sub/c.txt`, `${box}/ünï/d.txt`);
      const id = await household.link(`${HOME}/${box}`, { singleDownload: 1 });
      await writeFile(household.at(`${box}/large.bin`), Buffer.alloc(SIZE, 1));
      await breakOff(`/wl/?id=${id}&fmode=download`);
      await eventually(async () => (await household.visit(id)).status === 200);
      const zip = await household.visit(id, direct);
      expect(Number(zip.headers['content-length'])).toBe(zip.bytes.length);
      expect(Object.keys(await readZip(zip.bytes))).toContain(`${box}/ünï/d.txt`);
      expect((await household.visit(id, direct)).status).toBe(410);
    },
  );

  it('frees slots that were in use when the server ended, and keeps counted downloads', async () => {
    const id = await household.link(`${HOME}/large.bin`, { download_limit: 2 });
    expect((await household.visit(id, direct)).status).toBe(200);
    const slow = await household.api.open('GET', `/wl/?id=${id}&fmode=download`);
    slow.body.on('error', () => undefined);
    await household.restart();
    await household.signInAgain('olga');
    expect((await household.visit(id, direct)).status).toBe(200);
    expect((await household.visit(id, direct)).status).toBe(410);
  });

  itInFull('counts unlimited links, too', async () => {
    const { id, used } = await fresh({});
    await household.visit(id, direct);
    await household.visit(id);
    await pressDownload(household.api, id);
    expect(await used()).toBe(2);
  });

  it('ends a limited link for everyone when the limit is lowered, and opens it when it is raised', async () => {
    const box = await household.newBox();
    const path = `${HOME}/${box}/a.txt`;
    const id = await household.link(path, { download_limit: 5 });
    for (let time = 0; time < 2; time += 1) await household.visit(id, direct);
    await household.as('olga').post('files/weblink/edit', { path, download_limit: 2 });
    expect((await household.visit(id, direct)).status).toBe(410);
    await household.as('olga').post('files/weblink/edit', { path, download_limit: 3 });
    expect((await household.visit(id, direct)).status).toBe(200);
    expect((await household.visit(id, direct)).status).toBe(410);
  });
});
