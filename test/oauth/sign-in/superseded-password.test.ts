import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, MEMBER } from '../../support/households/member.ts';
import { appOf } from '../support.ts';

let household: Household;

beforeEach(async () => {
  household = await openHousehold();
});
afterEach(() => household.close());

const NEXT = 'a rather good one';

const CONCURRENCY = 40;
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Changes the password, and does something with the old one meanwhile, each time some turns of the event loop later. */
async function overlapping<T>(old: string, next: string, work: () => Promise<T>): Promise<T[]> {
  const api = await household.signIn();
  const change = api.post('account/password', { current_password: old, new_password: next });
  const begun: Promise<T>[] = [];
  while (begun.length < CONCURRENCY) {
    begun.push(work());
    await turns(3);
  }
  expect((await change).status).toBe(200);
  return Promise.all(begun);
}

it('a sign-in during a deactivation by an administrator leaves nothing that is valid after the next activation', async () => {
  await addMembersWithHomes(household, { mia: {} });
  const app = appOf(household);
  const mia = { username: 'mia', password: MEMBER.password };
  const access: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    const begun = [0, 5, 10].map(async (wait) => {
      await turns(wait);
      const { status, body } = await app.password(mia);
      if (status === 200) access.push(body.access_token);
    });
    await turns(3 * round);
    await household.control('accounts.update', { username: 'mia', activated: false });
    await Promise.all(begun);
    await household.control('accounts.update', { username: 'mia', activated: true });
  }
  for (const token of access) expect(await app.use(token)).toBe(401);
});

describe('a password that is changed while it is checked', () => {
  it('yields no token that stays valid', async () => {
    const app = appOf(household);
    const replies = await overlapping(OWNER.password, NEXT, () => app.password({ password: OWNER.password }));
    for (const reply of replies.filter(({ status }) => status === 200)) {
      expect(await app.use(reply.body.access_token)).toBe(401);
      expect((await app.refresh(reply.body.refresh_token)).status).toBe(400);
    }
  });

  it('starts no browser session that stays valid', async () => {
    const visitors = await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        const visitor = new WebVisitor(household);
        const page = await visitor.get('/account/');
        return { visitor, fields: { form_token: page.field('form_token'), next: page.field('next') } };
      }),
    );
    const left = [...visitors];
    await overlapping(OWNER.password, NEXT, async () => {
      const one = left.pop();
      return one?.visitor.post('/account/sign-in', { ...one.fields, ...OWNER });
    });
    for (const { visitor } of visitors) {
      expect((await visitor.get('/account/')).text).not.toContain(t('account.editProfile'));
    }
  });

  it('yields no authorization code that outlives its session', async () => {
    const visitor = new WebVisitor(household);
    const page = await visitor.get('/account/');
    const fields = { form_token: page.field('form_token'), next: page.field('next') };
    await visitor.post('/account/sign-in', { ...fields, ...OWNER });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: household.clientId,
      redirect_uri: 'https://app.example/callback',
      scope: 'profile',
    });
    const consent = await visitor.get(`/oauth2/authorize/?${query}`);
    const answer = { form_token: consent.field('form_token'), request: consent.field('request'), answer: 'allow' };
    const replies = await overlapping(OWNER.password, NEXT, () => visitor.post('/oauth2/authorize/', answer));
    const app = appOf(household);
    for (const { location } of replies) {
      const code = new URLSearchParams(location?.split('?')[1]).get('code');
      if (code === null) continue;
      const exchange = { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/callback' };
      const reply = await household.api.token({ ...exchange, ...app.credentials });
      if (reply.status === 200) expect(await app.use(reply.body.access_token)).toBe(401);
    }
  });
});
