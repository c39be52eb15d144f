import { randomUUID } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { itInFull, sampled } from '../../support/forms.ts';
import { MEMBER, setPermissions } from '../../support/households/member.ts';
import { FORM, holdRequest } from '../../support/requests/held-request.ts';
import { type LinkHousehold, openLinkHousehold } from '../../support/requests/links.ts';
import { fixture } from '../../workers/thumbnail-support.ts';

const HOME = '/ROOT/HOME';
let household: LinkHousehold;

beforeAll(async () => {
  household = await openLinkHousehold();
});
afterAll(() => household.close());

async function linked(form: Record<string, string | number>) {
  const box = await household.newBox();
  const path = `${HOME}/${box}/a.txt`;
  return { box, path, id: await household.link(path, form) };
}

const page = (id: string, more = '') => `/wl/?id=${id}${more}`;

async function show(visitor: WebVisitor, id: string, password: string) {
  return visitor.post('/wl/open', { id, password, next: page(id) });
}

/** Ends an upload by revoking its token: with it all that is in progress is looked at, in the order in which it began. */
async function lookedAt(): Promise<void> {
  const client = { client_id: household.clientId, client_secret: household.clientSecret };
  const form = { grant_type: 'password', username: 'ben', password: MEMBER.password, scope: 'upload', ...client };
  const token = String((await household.api.token(form)).body.access_token);
  const head = ['PUT /api.php/files/upload?path=/ROOT/HOME/late.txt HTTP/1.1', `Authorization: Bearer ${token}`];
  const held = await holdRequest(household, head, 'sent slowly');
  await household.api.send('POST', '/oauth2/revoke/', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, ...client }).toString(),
  });
  expect(await held.ended()).toBe(null);
}

/** A wrong password from another address: every one in 127.0.0.0/8 is this machine. */
async function guessFrom(address: string, id: string): Promise<number> {
  const agent = new Agent({ localAddress: address, connect: { ca: household.ca } });
  const { statusCode, body } = await request(`https://127.0.0.1:${household.port}/wl/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body: new URLSearchParams({ id, password: 'wrong' }).toString(),
    dispatcher: agent,
  });
  await body.dump();
  await agent.close();
  return statusCode;
}

describe('a password', () => {
  it('is required before anything is revealed, at every address of the link', async () => {
    const { box, id } = await linked({ password: 'plums' });
    const visitor = new WebVisitor(household);
    const asked = await visitor.get(page(id));
    expect(asked.status).toBe(200);
    expect(asked.text).toContain(t('links.password.heading'));
    for (const more of ['&fmode=download', '&fmode=open', '&path=/x', '&mode=list', '&done=sent']) {
      const reply = await visitor.get(page(id, more));
      const text = reply.text.replaceAll(id, '');
      for (const word of ['a.txt', box, 'content of', 'olga', 'Mia']) expect(text, more).not.toContain(word);
    }
    // A program gets no page that it could take for the content.
    expect((await visitor.get(page(id, '&fmode=download'))).status).toBe(403);
    for (const address of ['view', 'content', 'get']) {
      const reply = await visitor.get(`/wl/${address}?id=${id}&turn=x`);
      expect([400, 404]).toContain(reply.status);
      expect(reply.text).not.toContain('content of');
    }
    const pressed = await visitor.post(`/wl/get?id=${id}`, { all: '1' });
    expect(pressed.text).toContain(t('links.password.heading'));
  });

  it('authorizes only the browser in which it was entered, until it is changed', async () => {
    const { path, id } = await linked({ password: 'plums' });
    const visitor = new WebVisitor(household);
    const entered = await show(visitor, id, 'plums');
    expect([entered.status, entered.location]).toEqual([303, page(id)]);
    expect(entered.headers['set-cookie']).toMatch(/__Host-larder-link=.*Path=\/; .*HttpOnly; Secure; SameSite=Lax/);
    expect((await visitor.get(page(id, '&fmode=download'))).text).toContain('content of');
    expect((await new WebVisitor(household).get(page(id))).text).toContain(t('links.password.heading'));
    const seen = await visitor.get(page(id));
    const view = /src="([^"]*\/wl\/view[^"]*)"/.exec(seen.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await new WebVisitor(household).get(view)).text).toContain('content of');
    await household.as('olga').post('files/weblink/edit', { path, password: 'pears' });
    expect((await visitor.get(page(id))).text).toContain(t('links.password.heading'));
    // Nor do the tickets of pages that were shown before open anything.
    expect((await new WebVisitor(household).get(view)).text).not.toContain('content of');
    await household.as('olga').post('files/weblink/edit', { path, password: '' });
    expect((await visitor.get(page(id))).text).toContain('a.txt');
  });

  itInFull(
    'guessed by strangers does not lock out browsers that entered the correct one, also after a change',
    async () => {
      const { path, id } = await linked({ password: 'plums' });
      const visitor = new WebVisitor(household);
      await show(visitor, id, 'plums');
      // From so many addresses that the link itself takes no more guesses.
      const guesses = Array.from({ length: 70 }, (_, index) => guessFrom(`127.0.9.${index + 1}`, id));
      expect((await Promise.all(guesses)).filter((status) => status === 429).length).toBeGreaterThan(0);
      expect((await show(new WebVisitor(household), id, 'plums')).status, 'a stranger waits').toBe(429);
      expect((await visitor.get(page(id))).text).toContain('a.txt');
      await household.as('olga').post('files/weblink/edit', { path, password: 'pears' });
      expect((await show(visitor, id, 'pears')).status).toBe(303);
      for (let attempt = 0; attempt < 4; attempt += 1) await show(visitor, id, 'wrong');
      expect((await show(visitor, id, 'pears')).status, 'its own wrong ones count').toBe(429);
    },
  );

  it('can be guessed only slowly: an address has to wait, and attempts until then are not checked', async () => {
    const { id } = await linked({ password: 'plums' });
    const visitor = new WebVisitor(household);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const wrong = await show(visitor, id, `wrong ${attempt}`);
      expect([wrong.status, wrong.location]).toEqual([403, null]);
      expect(wrong.text).toContain(t('links.password.wrong'));
    }
    const early = await show(visitor, id, 'plums');
    expect(early.status).toBe(429);
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
    expect(early.text).toContain(t('links.password.wait', { seconds: Number(early.headers['retry-after']) }));
    household.clock.advance(MINUTE);
    expect((await show(visitor, id, 'plums')).status).toBe(303);
  });

  itInFull('can be guessed only slowly with concurrent attempts, too', async () => {
    const { id } = await linked({ password: 'plums' });
    const tries = Array.from({ length: 30 }, (_, index) => show(new WebVisitor(household), id, `guess ${index}`));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(3);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(27);
  });

  itInFull('can be guessed only slowly by many browsers of one address that have entered an earlier one', async () => {
    const { path, id } = await linked({ password: 'plums' });
    const visitors = Array.from({ length: 20 }, () => new WebVisitor(household));
    for (const visitor of visitors) expect((await show(visitor, id, 'plums')).status).toBe(303);
    await household.as('olga').post('files/weblink/edit', { path, password: 'pears' });
    const statuses = await Promise.all(
      visitors.flatMap((visitor) => ['wrong', 'again'].map(async (guess) => (await show(visitor, id, guess)).status)),
    );
    // Three as known browsers, and three as any others.
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(6);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(34);
  });

  itInFull('is accepted from one browser despite wrong attempts of another at its address', async () => {
    const { path, id } = await linked({ password: 'plums' });
    const [one, other] = [new WebVisitor(household), new WebVisitor(household)];
    for (const visitor of [one, other]) await show(visitor, id, 'plums');
    await household.as('olga').post('files/weblink/edit', { path, password: 'pears' });
    for (let attempt = 0; attempt < 4; attempt += 1) await show(one, id, 'wrong');
    expect((await show(other, id, 'pears')).status).toBe(303);
  });

  it('that is set while a body arrives applies to that request', async () => {
    const { path, id } = await linked({ show_comments: 1 });
    const visitor = new WebVisitor(household);
    const text = (await visitor.get(page(id))).field('form_token');
    const cookie = `Cookie: ${[...visitor.cookies].map((pair) => pair.join('=')).join('; ')}`;
    const form = new URLSearchParams({ form_token: text, sender: 'Kim', comment: 'late words' }).toString();
    const head = [`POST /wl/comment?id=${id} HTTP/1.1`, cookie, FORM, `Origin: ${visitor.origin}`];
    const held = await holdRequest(household, head, form);
    await household.as('olga').post('files/weblink/edit', { path, password: 'plums' });
    expect(await held.finish()).not.toBe(303);
    const { body } = await household.as('olga').post('files/comments/list', { path });
    expect(body.data.comments).toEqual([]);
  });

  it('leads only to pages of the link', async () => {
    const { id } = await linked({ password: 'plums' });
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/account/',
      `/wl/?id=${'A'.repeat(32)}`,
      'javascript:x',
    ]) {
      const visitor = new WebVisitor(household);
      const entered = await visitor.post('/wl/open', { id, password: 'plums', next });
      expect([entered.status, entered.location]).toEqual([303, page(id)]);
    }
  });
});

describe('terms', () => {
  it('must be accepted first in each browser, and again after a change', async () => {
    const { path, id } = await linked({ download_terms: 'Only <b>you</b> & nobody else', password: 'plums' });
    const visitor = new WebVisitor(household);
    // Not before the password.
    await visitor.post('/wl/accept', { id, next: page(id) });
    await show(visitor, id, 'plums');
    const asked = await visitor.get(page(id));
    expect(asked.text).toContain('Only &lt;b&gt;you&lt;/b&gt; &amp; nobody else');
    expect((await visitor.get(page(id, '&fmode=download'))).text).not.toContain('content of');
    const accepted = await visitor.post('/wl/accept', { id, next: page(id, '&fmode=download') });
    expect([accepted.status, accepted.location]).toEqual([303, page(id, '&fmode=download')]);
    expect((await visitor.get(page(id, '&fmode=download'))).text).toContain('content of');
    await household.as('olga').post('files/weblink/edit', { path, download_terms: 'Other terms' });
    expect((await visitor.get(page(id))).text).toContain('Other terms');
  });
});

itInFull.each(sampled(['keep nothing', 'bring a cookie of their own'], 1))(
  'remembers only a limited number of browsers that %s',
  async (which) => {
    const { id } = await linked({ download_terms: 'Be kind' });
    const browser = () => {
      const visitor = new WebVisitor(household);
      if (which !== 'keep nothing') visitor.cookies.set('__Host-larder-link', randomUUID() + randomUUID());
      return visitor;
    };
    const statuses = new Map<number, number>();
    for (let batch = 0; batch < 26; batch += 1) {
      const accepting = Array.from({ length: 20 }, () => browser().post('/wl/accept', { id, next: page(id) }));
      for (const { status } of await Promise.all(accepting)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(303)).toBeLessThanOrEqual(500);
    expect(statuses.get(429)).toBeGreaterThanOrEqual(20);
    household.clock.advance(60 * MINUTE);
    expect((await new WebVisitor(household).post('/wl/accept', { id, next: page(id) })).status).toBe(303);
    for (const name of ['olga', 'ben'] as const) await household.signInAgain(name);
  },
);

describe('a link that requires sign-in', () => {
  it('asks visitors to sign in, returns to the link, and opens for nobody else', async () => {
    const { id } = await linked({ require_login: 1 });
    const visitor = new WebVisitor(household);
    const asked = await visitor.get(page(id));
    expect(asked.text).toContain(t('signIn.submit'));
    expect(asked.text).not.toContain('a.txt');
    const entered = await visitor.post('/account/sign-in', {
      ...{ form_token: asked.field('form_token'), next: asked.field('next') },
      ...{ username: 'ben', password: MEMBER.password },
    });
    expect([entered.status, entered.location]).toEqual([303, page(id)]);
    const seen = await visitor.get(page(id));
    expect(seen.text).toContain('a.txt');
    const pressed = await visitor.post(`/wl/get?id=${id}`, { all: '1' });
    expect((await visitor.get(pressed.location ?? '')).text).toContain('content of');
    const view = /src="([^"]*\/wl\/view[^"]*)"/.exec(seen.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await visitor.get(view)).text).toContain('content of');
    // What the page of somebody opens ends with them.
    await household.control('accounts.update', { username: 'ben', activated: false });
    expect((await visitor.get(view)).text).not.toContain('content of');
    expect((await visitor.get(page(id))).text).toContain(t('signIn.submit'));
    await household.control('accounts.activate', { username: 'ben' });
    // No program takes the page that asks for what it wanted.
    for (const fmode of ['download', 'open']) expect((await household.visit(id, { fmode })).status).toBe(403);
  });
});

it.each(sampled(['all of it', 'an account', 'its session'], 1))(
  'a single download of a link that requires sign-in continues without a change, and ends with %s',
  async (ending) => {
    const { box, id } = await linked({ require_login: 1 });
    await writeFile(household.at(`${box}/a.txt`), Buffer.alloc(24 * 1024 * 1024, 7));
    const visitor = new WebVisitor(household);
    const asked = await visitor.get(page(id));
    await visitor.post('/account/sign-in', {
      ...{ form_token: asked.field('form_token'), next: asked.field('next') },
      ...{ username: 'ben', password: MEMBER.password },
    });
    const pressed = await visitor.post(`/wl/get?id=${id}`, { all: '1' });
    const slow = await household.api.open('GET', pressed.location ?? '');
    const ended = new Promise<string>((resolve) =>
      slow.body.on('error', () => resolve('broken')).on('end', () => resolve('whole')),
    );
    const before = household.logged().length;
    if (ending === 'an account') await household.control('accounts.update', { username: 'ben', activated: false });
    if (ending === 'its session') {
      const account = await visitor.get('/account/');
      await visitor.post('/account/sign-out', { form_token: account.field('form_token') });
    }
    if (ending === 'all of it') await lookedAt();
    else await expect.poll(() => household.logged().slice(before)).toContain('a download ended early');
    slow.body.resume();
    expect(await ended).toBe(ending === 'all of it' ? 'whole' : 'broken');
    if (ending === 'an account') await household.control('accounts.activate', { username: 'ben' });
  },
);

describe('content is sent', () => {
  it('inline where that is safe, and as a download where the link requires it', async () => {
    const { path, id } = await linked({});
    const opened = await household.visit(id, { fmode: 'open' });
    expect(opened.headers['content-disposition']).toMatch(/^inline;/);
    expect(opened.headers['content-security-policy']).toMatch(/^sandbox;/);
    const taken = await household.visit(id, { fmode: 'download' });
    expect(taken.headers['content-disposition']).toMatch(/^attachment;/);
    await household.as('olga').post('files/weblink/edit', { path, force_save: 1 });
    const saved = await household.visit(id, { fmode: 'open' });
    expect(saved.headers['content-disposition']).toMatch(/^attachment;/);
    const shown = await new WebVisitor(household).get(page(id));
    expect(shown.text).not.toContain('<iframe');
    expect(shown.text).toContain(t('links.file.saved.heading'));
  });

  it('with details only if the link shows them', async () => {
    const { path, id } = await linked({});
    const seen = async () => (await new WebVisitor(household).get(page(id))).text;
    expect(await seen()).not.toContain(t('links.file.created'));
    await household.as('olga').post('files/weblink/edit', { path, show_metadata: 1 });
    expect(await seen()).toContain(t('links.file.created'));
  });

  it('with embedded metadata, except for the location, marks of people, and fields its maker may not read', async () => {
    const olga = household.as('olga');
    await copyFile(fixture('pictures/camera.jpg'), household.at('camera.jpg'));
    const path = `${HOME}/camera.jpg`;
    await olga.post('files/tags/add', { path, 'tags[]': 'ours alone' });
    const { body } = await olga.get('files/metadata', { path });
    expect(body.data.gps).toBeDefined();
    const known = (body.data.fieldsets as { name: string; fields: { name: string; values: string[] }[] }[]).flatMap(
      ({ fields }) => fields,
    );
    const camera = known.find(({ name }) => name === 'Camera')?.values[0] ?? 'no camera';
    const place = known.find(({ name }) => name === 'Place')?.values[0] ?? 'no place';
    const made = await olga.post('files/weblink', { path, show_metadata: 1 });
    const id = new URL(made.body.data.url).searchParams.get('id') ?? '';
    const seen = async () => (await new WebVisitor(household).get(page(id))).text;
    const shown = await seen();
    expect(shown).toContain(camera);
    expect(shown).not.toContain(place);
    expect(shown).not.toContain('ours alone');
    await setPermissions(household, { olga: { metadata: false } });
    const without = await seen();
    expect(without).toContain(t('links.file.created'));
    expect(without).not.toContain(camera);
    await setPermissions(household, { olga: {} });
  });

  it('never because of an invalid value', async () => {
    const { id } = await linked({});
    for (const query of [
      { fmode: 'x' },
      { fmode: '../open' },
      { mode: '../../list' },
      { mode: '' },
      { start: '-1' },
      { path: 'x' },
    ]) {
      const reply = await household.visit(id, query as Record<string, string>);
      expect([reply.status, reply.text.includes('content of')], JSON.stringify(query)).toEqual([400, false]);
    }
  });
});

it('a link opens while the API is off', async () => {
  const { id } = await linked({});
  await household.control('settings.update', { apiEnabled: false });
  expect((await household.visit(id, { fmode: 'download' })).text).toContain('content of');
  expect((await new WebVisitor(household).get(page(id))).text).toContain('a.txt');
  await household.control('settings.update', { apiEnabled: true });
});

describe('plain HTTP, for testing', () => {
  it('opens links without requirements, but none that require a cookie', async () => {
    const { id } = await linked({});
    const { id: locked } = await linked({ password: 'plums' });
    const box = await household.newBox();
    const request = await household.link(`${HOME}/${box}`, { allow_uploads: 1 });
    await household.control('settings.update', { httpTesting: true });
    const { httpAddresses } = (await household.control('status')) as { httpAddresses: string[] };
    const port = new URL(httpAddresses[0] ?? '').port;
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } });
    expect(await (await get(page(id, '&fmode=download'))).text()).toContain('content of');
    const shown = await get(page(id));
    expect([shown.status, shown.headers.get('set-cookie')]).toEqual([200, null]);
    for (const other of [locked, request]) {
      const refused = await get(page(other));
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null]);
      expect(await refused.text()).toContain('https');
    }
    await household.control('settings.update', { httpTesting: false });
  });
});
