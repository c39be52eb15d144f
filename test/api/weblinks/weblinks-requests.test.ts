import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { itInFull } from '../../support/forms.ts';
import { setPermissions } from '../../support/households/member.ts';
import { rowsOf } from '../../support/requests/activity.ts';
import { type LinkHousehold, openLinkHousehold } from '../../support/requests/links.ts';

const HOME = '/ROOT/HOME';
let household: LinkHousehold;

beforeAll(async () => {
  household = await openLinkHousehold();
});
afterAll(() => household.close());

/** A folder of Olga's, and a file request for it. */
async function request(form: Record<string, string | number> = {}) {
  const box = await household.newBox();
  await writeFile(household.at(`${box}/secret plan.txt`), 'nobody may read this');
  return { box, id: await household.link(`${HOME}/${box}`, { allow_uploads: 1, ...form }) };
}

class Sender extends WebVisitor {
  token = '';
  readonly id: string;
  constructor(id: string) {
    super(household);
    this.id = id;
  }
  /** The same browser, for a server that has started anew. */
  again(): Sender {
    const sender = new Sender(this.id);
    sender.token = this.token;
    for (const [name, value] of this.cookies) sender.cookies.set(name, value);
    return sender;
  }
  async open() {
    const page = await this.get(`/wl/?id=${this.id}`);
    this.token = /data-token="([^"]*)"/.exec(page.text)?.[1] ?? '';
    return page;
  }
  async send(name: string, content: string, more: Record<string, string> = {}) {
    if (this.token === '') await this.open();
    const key = `${Buffer.from(name).toString('hex').slice(0, 40)}00000000`;
    const query = new URLSearchParams({ id: this.id, name, sender: 'Mia', key, ...more });
    const reply = await this.put(`/wl/upload?${query}`, content, { 'x-form-token': this.token });
    return { ...reply, body: JSON.parse(reply.text) };
  }
}

describe('files of equal names in a file request', () => {
  itInFull('are accepted beyond 10,000, each under the next number', async () => {
    const { box, id } = await request();
    const numbered = (number: number) => (number === 1 ? 'same.txt' : `same (${number}).txt`);
    const COUNT = 10_100;
    for (let from = 1; from <= COUNT; from += 500) {
      const some = Array.from({ length: Math.min(500, COUNT - from + 1) }, (_, index) => from + index);
      await Promise.all(some.map((number) => writeFile(household.at(`${box}/${numbered(number)}`), '')));
    }
    const sender = new Sender(id);
    for (const content of ['one', 'two']) expect((await sender.send('same.txt', content)).status).toBe(200);
    for (const content of ['three', 'four']) expect((await sender.send('Same.txt', content)).status).toBe(200);
    const contents = [1, 2].map((more) => readFile(household.at(`${box}/${numbered(COUNT + more)}`), 'utf8'));
    expect(await Promise.all(contents)).toEqual(['one', 'two']);
    expect(await readFile(household.at(`${box}/Same (${COUNT + 4}).txt`), 'utf8')).toBe('four');
    // A name in another case, of which nobody knows yet which number came last.
    await writeFile(household.at(`${box}/other.txt`), '');
    for (let number = 2; number <= 3_000; number += 1)
      await writeFile(household.at(`${box}/other (${number}).txt`), '');
    expect((await sender.send('OTHER.txt', 'other')).status).toBe(200);
    expect(await readFile(household.at(`${box}/OTHER (3001).txt`), 'utf8')).toBe('other');
    expect((await sender.send('same.txt/inside.txt', 'in a folder')).status).toBe(200);
  });

  it('that arrive concurrently all get different names', async () => {
    const { box, id } = await request();
    const sender = new Sender(id);
    await sender.open();
    const keys = Array.from({ length: 30 }, (_, index) => `key-of-file-${index}`);
    const replies = await Promise.all(keys.map((key) => sender.send('same.txt', key, { key })));
    expect(replies.map(({ status }) => status)).toEqual(Array(30).fill(200));
    const names = (await readdir(household.at(box))).filter((name) => name.startsWith('same'));
    const contents = await Promise.all(names.map((name) => readFile(household.at(`${box}/${name}`), 'utf8')));
    expect(contents.toSorted()).toEqual(keys.toSorted());
  });
});

describe('a file request', () => {
  it('stores files under unused names, and never changes existing ones', async () => {
    const { box, id } = await request();
    const sender = new Sender(id);
    for (const content of ['first', 'second']) expect((await sender.send('secret plan.txt', content)).status).toBe(200);
    expect((await sender.send('SECRET PLAN.TXT', 'third')).status).toBe(200);
    expect((await readdir(household.at(box))).sort()).toEqual(
      ['SECRET PLAN (4).TXT', 'a.txt', 'secret plan (2).txt', 'secret plan (3).txt', 'secret plan.txt', 'sub'].sort(),
    );
    expect(await readFile(household.at(`${box}/secret plan.txt`), 'utf8')).toBe('nobody may read this');
    const { body } = await household.as('olga').get('files/versions/list', { path: `${HOME}/${box}/secret plan.txt` });
    expect(body.data.versions).toHaveLength(1);
  });

  itInFull('accepts the same name from a hundred concurrent visitors, and stores all files', async () => {
    const { box, id } = await request();
    const senders = Array.from({ length: 5 }, () => new Sender(id));
    await Promise.all(senders.map((sender) => sender.open()));
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        senders[number % 5]?.send('photo.txt', `photo ${number}`, { key: `hundred-${number}-at-once` }),
      ),
    );
    expect(replies.map((reply) => reply?.status)).toEqual(Array(100).fill(200));
    const names = (await readdir(household.at(box))).filter((name) => name.startsWith('photo'));
    const contents = await Promise.all(names.map((name) => readFile(household.at(`${box}/${name}`), 'utf8')));
    expect(new Set(contents).size).toBe(100);
  });

  it('reveals to its visitor neither existing files nor those of others', async () => {
    const { box, id } = await request();
    const [mia, ben] = [new Sender(id), new Sender(id)];
    await mia.send('from mia.txt', 'x');
    const said: string[] = [];
    for (const query of [
      '',
      '&path=/sub',
      '&path=/secret plan.txt',
      '&fmode=download',
      '&fmode=open',
      '&mode=list',
      '&mode=gallery&start=0',
    ]) {
      said.push((await ben.get(`/wl/?id=${id}${query}`)).text);
    }
    const names = new URLSearchParams({ all: '1' }).toString();
    said.push((await ben.postRaw(`/wl/get?id=${id}`, names, 'application/x-www-form-urlencoded')).text);
    said.push((await ben.post(`/wl/get?id=${id}`, { path: '/secret plan.txt' })).text);
    said.push((await ben.send('secret plan.txt', 'y')).text, (await ben.send('sub/b.txt', 'y')).text);
    for (const text of said) {
      for (const word of ['nobody may read', 'from mia', 'b.txt" ', 'content of', '(2)'])
        expect(text).not.toContain(word);
    }
    expect((await ben.open()).text).not.toContain('from mia.txt');
    expect((await mia.open()).text).toContain('from mia.txt');
    expect((await ben.send('x.txt', 'y', { path: '/sub' })).status).toBe(404);
    const zip = await household.visit(id, { fmode: 'download' });
    expect([zip.status, zip.body.code]).toEqual([403, 'permission_denied']);
    expect((await readdir(household.at(`${box}/sub`))).sort()).toEqual(['b (2).txt', 'b.txt']);
  });

  it('accepts folders, with names valid on every system, and no escaping paths', async () => {
    const { box, id } = await request();
    const sender = new Sender(id);
    await mkdir(household.at('outside'));
    await symlink(household.at('outside'), household.at(`${box}/way`));
    const sent: [name: string, lies: string | null][] = [
      ['Trip/day 1/a.txt', 'Trip/day 1/a.txt'],
      ['../../up.txt', 'up.txt'],
      ['/etc/passwd', 'etc/passwd'],
      ['a:b*c?.txt', 'a_b_c_.txt'],
      ['CON', '_CON'],
      ['dots...', 'dots'],
      ['..', null],
      ['x/../../../y.txt', 'x/y.txt'],
      ['back\\slash.txt', 'back_slash.txt'],
      ['<img src=x onerror=alert(1)>.txt', '_img src=x onerror=alert(1)_.txt'],
      // That something is in the way is not told.
      ['way/in.txt', 'way (2)/in.txt'],
      ['line\nbreak.txt', 'line_break.txt'],
    ];
    for (const [name, lies] of sent) {
      const reply = await sender.send(name, name);
      if (lies === null) expect([400, 404, 409], name).toContain(reply.status);
      else {
        expect([name, reply.status]).toEqual([name, 200]);
        expect(await readFile(household.at(`${box}/${lies}`), 'utf8')).toBe(name);
      }
    }
    expect(await readdir(household.at('outside'))).toEqual([]);
    expect((await readdir(household.at(''))).includes('up.txt')).toBe(false);
  });

  it('applies size limit, types and quota of its maker, with texts for visitors', async () => {
    const { box, id } = await request();
    const sender = new Sender(id);
    await sender.open();
    await setPermissions(household, { olga: { upload_max_size: 1, upload_limit_types: 'txt' } });
    const large = await sender.send('large.txt', 'x'.repeat(1_048_577));
    expect([large.status, large.body.code]).toEqual([413, 'upload_too_large']);
    const pieces = await sender.send('large.txt', 'x', { totalSize: '5000000', startByte: '0' });
    expect([pieces.status, pieces.body.code]).toEqual([413, 'upload_too_large']);
    const type = await sender.send('virus.exe', 'x');
    expect([type.status, type.body.code]).toEqual([415, 'type_not_allowed']);
    await setPermissions(household, { olga: { space_quota_max: 1 } });
    const full = await sender.send('full.bin', 'x'.repeat(1_048_577));
    expect([full.status, full.body.code]).toEqual([507, 'quota_exceeded']);
    // How full it is is nobody's business out there.
    expect(full.text).not.toMatch(/quota":|used|needed|\d{5}/);
    await setPermissions(household, { olga: { upload: false } });
    expect((await sender.send('no.txt', 'x')).status).toBe(403);
    await setPermissions(household, { olga: { readonly: true } });
    expect((await sender.send('no.txt', 'x')).status).toBe(403);
    await setPermissions(household, { olga: {} });
    expect((await readdir(household.at(box))).sort()).toEqual(['a.txt', 'secret plan.txt', 'sub']);
  });

  it('continues chunked uploads, separately for each visitor', async () => {
    const { box, id } = await request();
    const before = { mia: new Sender(id), eve: new Sender(id) };
    const piece = { key: 'same-key-for-both', totalSize: '6' };
    expect((await before.mia.send('p.txt', 'mia', { ...piece, startByte: '0' })).body.data).toEqual({ offset: 3 });
    expect((await before.eve.send('p.txt', '', { ...piece, getOffset: '1' })).body.data).toEqual({ offset: 0 });
    expect((await before.eve.send('p.txt', 'eve', { ...piece, startByte: '0' })).body.data).toEqual({ offset: 3 });
    expect((await before.mia.send('p.txt', '', { ...piece, getOffset: '1' })).body.data).toEqual({ offset: 3 });
    await household.restart();
    await household.signInAgain('olga');
    const [mia, eve] = [before.mia.again(), before.eve.again()];
    expect((await mia.send('p.txt', 'MIA', { ...piece, startByte: '3' })).status).toBe(200);
    expect(await readFile(household.at(`${box}/p.txt`), 'utf8')).toBe('miaMIA');
    expect((await eve.send('p.txt', '', { ...piece, giveUp: '1' })).status).toBe(200);
    expect((await eve.send('p.txt', '', { ...piece, getOffset: '1' })).body.data).toEqual({ offset: 0 });
  });

  it('accepts nothing without a name, from other sites, or from a browser that has not seen the page', async () => {
    const { box, id } = await request();
    const sender = new Sender(id);
    await sender.open();
    const nameless = await sender.send('x.txt', 'x', { sender: ' \u0007 ' });
    expect([nameless.status, nameless.body.details]).toEqual([400, { parameter: 'sender' }]);
    const query = new URLSearchParams({ id, name: 'x.txt', sender: 'Eve', key: 'eve-and-her-key' });
    expect((await sender.put(`/wl/upload?${query}`, 'x')).status).toBe(403);
    expect((await sender.put(`/wl/upload?${query}`, 'x', { 'x-form-token': 'wrong' })).status).toBe(403);
    expect(
      (await new WebVisitor(household).put(`/wl/upload?${query}`, 'x', { 'x-form-token': sender.token })).status,
    ).toBe(403);
    expect((await readdir(household.at(box))).sort()).toEqual(['a.txt', 'secret plan.txt', 'sub']);
    const download = await household.link(`${HOME}/${box}/sub`);
    const other = new URLSearchParams({ id: download, name: 'x.txt', sender: 'Eve', key: 'eve-and-her-key' });
    expect((await sender.put(`/wl/upload?${other}`, 'x', { 'x-form-token': sender.token })).status).toBe(403);
  });

  it('accepts one file of a form, and shows the owner who sent what', async () => {
    const { box, id } = await request({ allow_downloads: 1 });
    const sender = new Sender(id);
    const page = await sender.open();
    const body = [
      ...['--b', 'Content-Disposition: form-data; name="form_token"', '', sender.token],
      ...['--b', 'Content-Disposition: form-data; name="sender"', '', 'Mia <b>'],
      ...[
        '--b',
        'Content-Disposition: form-data; name="file"; filename="form.txt"',
        'Content-Type: text/html',
        '',
        'from a form',
      ],
      ...['--b--', ''],
    ].join('\r\n');
    expect(page.text).toContain('secret plan.txt');
    const rows = await rowsOf(household, async () => {
      const sent = await sender.postRaw(`/wl/send?id=${id}&path=/sub`, body, 'multipart/form-data; boundary=b');
      expect([sent.status, sent.location]).toEqual([303, `/wl/?id=${id}&path=/sub&done=sent`]);
    });
    expect(await readFile(household.at(`${box}/sub/form.txt`), 'utf8')).toBe('from a form');
    expect(
      rows.map(({ kind, channel, subject, details, username }) => [kind, channel, username, subject, details]),
    ).toEqual([
      [
        'file.created',
        'link',
        null,
        `${HOME}/${box}/sub/form.txt`,
        { size: 11, of: 'olga', weblink: expect.any(Number), visitor: 'Mia <b>' },
      ],
    ]);
    const again = await sender.open();
    expect(again.text).toContain('form.txt');
    expect(again.text).toContain('value="Mia &lt;b&gt;"');
  });
});
