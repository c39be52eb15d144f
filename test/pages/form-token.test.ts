import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compressQuickly } from '../../dist/server/http/response/compressed.js';
import { formTokensOf, isTokenOf } from '../../dist/server/web/shell/form-token.js';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';

let household: Household;
let visitor: WebVisitor;

beforeAll(async () => {
  household = await openHousehold();
  visitor = new WebVisitor(household);
  const page = await visitor.get('/account/sign-in');
  const form = { form_token: page.field('form_token'), next: '', ...OWNER };
  expect((await visitor.post('/account/sign-in', form)).status).toBe(303);
});
afterAll(() => household?.close());

/** A page that repeats what its address says. */
const pageFor = (guess: string) => `/files/search?q=${encodeURIComponent(guess)}`;
const tokenIn = (text: string) => /data-token="([^"]*)"/.exec(text)?.[1] ?? '';

/** The key under the mask of a token. */
function keyUnder(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const key = bytes.subarray(32).map((byte, index) => byte ^ (bytes[index] ?? 0));
  return Buffer.from(key).toString('base64url');
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

it('a form token has a new mask in every reply, and is accepted with every mask', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 4 }, async () => tokenIn((await visitor.get(pageFor(''))).text)),
  );
  expect(new Set(tokens).size).toBe(4);
  expect(new Set(tokens.map(keyUnder)).size).toBe(1);
  for (const form_token of tokens) {
    const fields = { form_token, path: '/ROOT/HOME', name: `Folder ${tokens.indexOf(form_token)}` };
    expect((await visitor.post('/files/do/create-folder', fields)).status).toBe(303);
  }
  const stranger = formTokensOf('another secret').formToken;
  const [token = ''] = tokens;
  for (const form_token of ['', 'x', stranger, token.slice(0, -2), `${token}AA`, keyUnder(token)]) {
    const reply = await visitor.post('/files/do/create-folder', { form_token, path: '/ROOT/HOME', name: 'Never' });
    expect([form_token, reply.status]).toEqual([form_token, 403]);
  }
});

it('a form token belongs to one browser only', () => {
  const tokens = formTokensOf('secret');
  expect(isTokenOf(tokens.formToken, formTokensOf('secret'))).toBe(true);
  expect(isTokenOf(tokens.formToken, formTokensOf('other'))).toBe(false);
  expect(isTokenOf(undefined, tokens)).toBe(false);
});

it('a form token cannot be guessed from the sizes of compressed pages', async () => {
  const { text } = await visitor.get(pageFor('guess'));
  const key = keyUnder(tokenIn(text));
  const other = () => createHash('sha256').update(randomBytes(8)).digest('base64url');

  // Without a mask, the right guess is found at once: the page repeats it.
  const unmasked = async (guess: string) => {
    const page = text.replaceAll(tokenIn(text), key).replaceAll('guess', guess);
    return (await compressQuickly(Buffer.from(page), 'br')).length;
  };
  const wrong = mean(await Promise.all(Array.from({ length: 20 }, () => unmasked(other()))));
  const gain = wrong - (await unmasked(key));
  expect(gain).toBeGreaterThan(12);

  // With it, right and wrong guesses have the same sizes, but for what the masks themselves change.
  // Under a mask of zeros, pages would repeat the key like this: it follows the mask, and letters are three quarters of a byte.
  const asInPages = (guess: string) =>
    Buffer.concat([Buffer.alloc(32), Buffer.from(guess, 'base64url')])
      .toString('base64url')
      .slice(43);
  const sizeFor = async (guess: string) => {
    const { headers } = await visitor.get(pageFor(guess), { 'accept-encoding': 'br' });
    expect([headers['content-encoding'], headers.vary]).toEqual(['br', 'Accept, Accept-Encoding']);
    return Number(headers['content-length']);
  };
  const sizes: Record<'right' | 'wrong', number[]> = { right: [], wrong: [] };
  for (let round = 0; round < 40; round += 1) {
    sizes.right.push(await sizeFor(asInPages(key)));
    sizes.wrong.push(await sizeFor(asInPages(other())));
  }
  expect(Math.abs(mean(sizes.right) - mean(sizes.wrong))).toBeLessThan(gain / 2);
});

it('pages that show a permanent secret are not compressed', async () => {
  const api = await household.signIn();
  await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'Linked' });
  await api.post('files/weblink', { path: '/ROOT/HOME/Linked' });
  for (const path of ['/files/link?path=/ROOT/HOME/Linked', '/account/two-step', '/account/programs']) {
    const { status, headers } = await visitor.get(path, { 'accept-encoding': 'br, gzip' });
    expect([path, status, headers['content-encoding']]).toEqual([path, 200, undefined]);
  }
  const { headers } = await visitor.get('/files/?path=/ROOT/HOME', { 'accept-encoding': 'gzip' });
  expect(headers['content-encoding']).toBe('gzip');
  const plain = await visitor.get('/files/?path=/ROOT/HOME');
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept, Accept-Encoding']);
});
