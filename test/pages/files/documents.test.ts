import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { MAX_SHOWN } from '../../../dist/server/workers/text/jobs.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { documents, docx, xlsx } from '../../support/content/documents.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { rowsOf } from '../../support/requests/activity.ts';
import { fixture } from '../../workers/thumbnail-support.ts';
import { address, ready, signInAt } from './support.ts';

// The text of documents in their page, for which no program is needed.

let household: Household;
let ann: WebVisitor;

beforeAll(async () => {
  household = await openHousehold();
  ann = new WebVisitor(household);
  const page = await ann.get('/files/');
  await ann.post('/account/sign-in', { form_token: page.field('form_token'), next: '/files/', ...OWNER });
});
afterAll(() => household?.close());

async function pageOf(name: string, content?: Buffer) {
  if (content !== undefined) await writeFile(join(household.home, name), content);
  const { status, text } = await ann.get(`/files/item?path=/ROOT/HOME/${encodeURIComponent(name)}`);
  expect(status).toBe(200);
  return text;
}

const wordsIn = (page: string) => /<div class="words">(.*?)<\/div>/s.exec(page)?.[1] ?? null;
const paragraphs = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

it.each(['docx', 'pptx', 'odt', 'odp', 'epub', 'fb2', 'eml'])(
  'the text of a document is shown: %s',
  async (extension) => {
    const page = await pageOf(`invoice.${extension}`, documents[extension]);
    expect(wordsIn(page)).toContain('Rechnung');
    expect(page).toContain(t('viewer.document.textOnly'));
    expect(page).not.toContain(t('viewer.document.cut'));
  },
);

it('paragraphs are shown as lines, and markup in the text is escaped', async () => {
  const body = `${paragraphs('One')}${paragraphs('&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;')}<w:p/><w:p/><w:p/><w:p/>${paragraphs('Two')}`;
  const words = wordsIn(await pageOf('script.docx', docx(body)));
  expect(words?.split(/\n+/)).toEqual(['One', '&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;', 'Two']);
  expect(words).not.toMatch(/\n{3}/);
});

it('the beginning of a long document is shown', async () => {
  const page = await pageOf('long.docx', docx(paragraphs('word '.repeat(200)).repeat(400)));
  expect(wordsIn(page)?.length).toBeGreaterThan(MAX_SHOWN * 0.9);
  expect(wordsIn(page)?.length).toBeLessThanOrEqual(MAX_SHOWN);
  expect(page).toContain(t('viewer.document.cut'));
});

it.each([
  ['damaged.docx', Buffer.alloc(2_000)],
  ['empty.docx', docx('')],
  ['damaged.xlsx', Buffer.alloc(2_000)],
  ['empty.xlsx', xlsx([], '')],
])('a message is shown for a document without text: %s', async (name, content) => {
  const page = await pageOf(name, content);
  expect(wordsIn(page)).toBeNull();
  expect(page).toContain(t('item.preview.none'));
});

it('showing the text counts as a download, unless there is none', async () => {
  const downloads = async (name: string) =>
    (await rowsOf(household, () => pageOf(name))).filter(({ kind }) => kind === 'file.downloaded').length;
  expect([await downloads('invoice.odt'), await downloads('damaged.docx')]).toEqual([1, 0]);
});

it('the text is shown like a page of a book', async () => {
  await copyFile(fixture('documents/book.epub'), join(household.home, 'Book.epub'));
  const browser = await launchBrowser();
  const { page, complaints, context } = await visit(browser);
  await page.goto(address(household, '/files/item?path=/ROOT/HOME/Book.epub'));
  await signInAt(page);
  await ready(page);
  await page.getByText(t('viewer.document.textOnly')).waitFor();
  await inspect(page, 'files-document');
  expect(complaints).toEqual([]);
  await context.close();
  await browser.close();
});
