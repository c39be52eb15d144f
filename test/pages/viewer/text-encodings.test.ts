import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { encode } from '../../support/content/encode.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { fillHome } from '../files/support.ts';

const MARKDOWN = '# 請求書\n';
const FILES: Record<string, readonly [content: Buffer, text: string]> = {
  'utf-8.txt': [Buffer.from('jam – six'), 'jam – six'],
  'utf-16.txt': [Buffer.from('\ufeffjam – six', 'utf16le'), 'jam – six'],
  'mail.txt': [Buffer.from('\x1b$B@A5a=q\x1b(B'), '請求書'],
  'windows.txt': [encode('会議メモ：牛乳を買う', 'shift_jis'), '会議メモ：牛乳を買う'],
  'four-bytes.txt': [Buffer.from('b2e2cad4', 'hex'), '测试'],
  'letter.txt': [encode('Счёт за воду', 'koi8-r'), 'Счёт за воду'],
  'page.html': [
    encode('<meta charset="windows-1251"><p>да</p>', 'windows-1251'),
    'charset=&quot;windows-1251&quot;&gt;&lt;p&gt;да',
  ],
};

let household: Household;
let ann: WebVisitor;

beforeAll(async () => {
  household = await openHousehold();
  await fillHome(household.home, {
    ...Object.fromEntries(Object.entries(FILES).map(([name, [content]]) => [name, content])),
    'notes.md': encode(MARKDOWN, 'shift_jis'),
    'binary.txt': Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex'),
  });
  ann = new WebVisitor(household);
  const page = await ann.get('/files/');
  const fields = { form_token: page.field('form_token'), next: page.field('next') };
  await ann.post('/account/sign-in', { ...fields, username: OWNER.username, password: OWNER.password });
});
afterAll(() => household.close());

it.each(Object.entries(FILES))('%s is decoded correctly', async (name, [, text]) => {
  const { status, text: page } = await ann.get(`/files/item?path=/ROOT/HOME/${name}`);
  expect(status).toBe(200);
  expect(page).toContain(text);
});

it('Markdown is decoded correctly', async () => {
  expect((await ann.get('/files/view?path=/ROOT/HOME/notes.md')).text).toContain(MARKDOWN);
});

it('a file that is not text is not shown', async () => {
  const { text } = await ann.get('/files/item?path=/ROOT/HOME/binary.txt');
  expect(text).toContain(t('viewer.notText.heading'));
});
