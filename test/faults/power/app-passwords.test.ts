import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { type DavClient, davClient } from '../../support/webdav/dav-client.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.create();
});
afterAll(() => installation.remove());

/** The power is cut as soon as a reply has come; then the server starts again. */
async function cutAfter<T>(answered: Promise<T>): Promise<{ answer: T; api: ApiClient }> {
  const answer = await answered;
  await installation.kill();
  return { answer, api: await installation.start() };
}

const statusOf = async (dav: DavClient) => (await dav.propfind('/', '0')).status;
const idOf = async (api: ApiClient, label: string): Promise<number> =>
  (await api.get('account/app-passwords/list')).body.data.passwords.find(
    (one: { label: string }) => one.label === label,
  ).id;

describe('an app password, when the power is cut after the reply', () => {
  itInFull('that was added is valid', async () => {
    const first = await installation.start();
    const { answer, api } = await cutAfter(davClient(first, { label: 'Added' }));
    expect(await statusOf(answer.over(api))).toBe(207);
    await installation.kill();
  });

  it('that was revoked by its owner stays revoked, and others are valid', async () => {
    const first = await installation.start();
    const revoked = await davClient(first, { label: 'Revoked' });
    const kept = await davClient(first, { label: 'Kept' });
    expect([await statusOf(revoked), await statusOf(kept)]).toEqual([207, 207]);
    const id = await idOf(first, 'Revoked');
    const { answer, api } = await cutAfter(first.post('account/app-passwords/delete', { id }));
    expect(answer.status, answer.text).toBe(200);
    expect([await statusOf(revoked.over(api)), await statusOf(kept.over(api))]).toEqual([401, 207]);
    await installation.kill();
  });

  itInFull('that its app revoked itself stays revoked', async () => {
    const dav = await davClient(await installation.start(), { label: 'Phone' });
    const ended = dav.at('').send('DELETE', '/ocs/v2.php/core/apppassword', { headers: { 'ocs-apirequest': 'true' } });
    const { answer, api } = await cutAfter(ended);
    expect(answer.status, answer.text).toBe(200);
    expect(await statusOf(dav.over(api))).toBe(401);
    await installation.kill();
  });

  itInFull('that was revoked together with others stays revoked', async () => {
    const first = await installation.start();
    const made = await Promise.all(['One', 'Two', 'Three'].map((label) => davClient(first, { label })));
    const ids = await Promise.all(['One', 'Two', 'Three'].map((label) => idOf(first, label)));
    const replies = Promise.all(ids.map((id) => first.post('account/app-passwords/delete', { id })));
    const { answer, api } = await cutAfter(replies);
    expect(answer.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await Promise.all(made.map((dav) => statusOf(dav.over(api))))).toEqual([401, 401, 401]);
    expect((await installation.doctor()).problems).toEqual([]);
    await installation.kill();
  });
});
