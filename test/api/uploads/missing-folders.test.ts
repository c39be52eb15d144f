import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { encodedForm } from '../../support/requests/forms.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

const CONTENT = 'the content';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Sent {
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}
type Send = (filePath: string, sent: Sent) => Promise<Reply>;

async function sendForm(fields: Readonly<Record<string, string>>, text: string, headers = {}): Promise<Reply> {
  const form = await encodedForm({ ...fields, file: new Blob([text]) });
  return api.send('POST', '/api.php/files/upload', { headers: { ...form.headers, ...headers }, body: form.body });
}

const WAYS: Readonly<Record<string, Send>> = {
  PUT: (filePath, { fields, headers }) => api.put({ filePath, ...fields }, CONTENT, headers),
  'a form': (filePath, { fields, headers }) => sendForm({ filePath, ...fields }, CONTENT, headers),
  async 'the last chunk'(filePath, { fields, headers }) {
    const query = {
      filePath,
      ...fields,
      totalSize: CONTENT.length,
      uploadId: `upload-${randomBytes(8).toString('hex')}`,
    };
    expect((await api.put({ ...query, startByte: 0 }, CONTENT.slice(0, 4))).body.data).toMatchObject({ offset: 4 });
    return api.put({ ...query, startByte: 4 }, CONTENT.slice(4), headers);
  },
  async 'the last chunk, in a form'(filePath, { fields, headers }) {
    const total = { totalSize: String(CONTENT.length), uploadId: `upload-${randomBytes(8).toString('hex')}` };
    const chunk = { filePath, ...fields, ...total };
    await sendForm({ ...chunk, startByte: '0' }, CONTENT.slice(0, 4));
    return sendForm({ ...chunk, startByte: '4' }, CONTENT.slice(4), headers);
  },
};

describe.each(Object.entries(WAYS))('missing folders in the path of %s', (_how, send) => {
  it.each<[string, Sent, number, string]>([
    ['a wrong digest', { fields: { sha256: sha256('another') } }, 422, 'digest_mismatch'],
    ['If-Match: *', { headers: { 'if-match': '*' } }, 412, 'precondition_failed'],
    ['If-Match', { headers: { 'if-match': '"a"' } }, 412, 'precondition_failed'],
  ])('are not created with %s', async (_what, sent, status, code) => {
    const name = randomBytes(6).toString('hex');
    const reply = await send(`/ROOT/HOME/${name}/deeper/a.txt`, sent);
    expect([reply.status, reply.body.code], reply.text).toEqual([status, code]);
    expect(await readdir(household.home)).not.toContain(name);
  });

  it('are created if the digest matches and the conditions are met', async () => {
    const name = randomBytes(6).toString('hex');
    const sent = { fields: { sha256: sha256(CONTENT) }, headers: { 'if-none-match': '*' } };
    const reply = await send(`/ROOT/HOME/${name}/deeper/a.txt`, sent);
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(await readFile(join(household.home, name, 'deeper', 'a.txt'), 'utf8')).toBe(CONTENT);
  });
});

it('missing folders are not created by a PUT with a wrong Content-Digest', async () => {
  const digest = createHash('sha256').update('another').digest('base64');
  const headers = { 'content-digest': `sha-256=:${digest}:` };
  const { status } = await api.put({ filePath: '/ROOT/HOME/wrong/a.txt' }, CONTENT, headers);
  expect(status).toBe(422);
  expect(await readdir(household.home)).not.toContain('wrong');
});
