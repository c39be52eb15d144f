import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, signInAt } from '../files/support.ts';

const HOSTILE = `# Plums

<script>document.title = 'ran'</script>
<img src=x onerror="document.title = 'ran'">
<style>body { display: none }</style>

[press](javascript:document.title='ran') and [this](https://evil.example/?q="><script>)
![pixel](https://evil.example/pixel.png) and ![local](/files/download?path=/ROOT/HOME/a.png)

<https://larder.example/> and &lt;b&gt; stay words
`;

const RECIPE = `# Plum jam

Enough for **six jars**. Halve the plums, take out the *stones* and weigh them again; see
[the drying rack](https://recipes.example/drying) for what is left over.

## What it takes

- 2 kg plums, ripe but firm
- 1.4 kg sugar
  - less, when they are very sweet
- 2 lemons

1. Cook the plums for twenty minutes.
2. Stir in the sugar, and cook until a drop stays a drop.

> Gran never weighed anything.

| Year | Jars | How it was | Who was there to help with stoning | What to do in another way next time |
|------|------|------------|------------------------------------|--------------------------------------|
| 2024 | 14   | too sweet  | Ann, Ben and everybody from next channel | half of the sugar, and twice the lemons |
| 2025 | 9    | just right | Mia                                | nothing                              |

\`\`\`
sugar = plums * 0.7
\`\`\`

Keep \`jars.csv\` up to date.
`;

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, {
    'Plum jam.md': RECIPE,
    'Hostile.md': HOSTILE,
    'Empty.md': '',
    'Picture.md': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
    'Long.md': 'A line of words.\n'.repeat(30_000),
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function at(page: 'item' | 'view', name: string, options = {}) {
  const visited = await visit(browser, options);
  await visited.page.goto(address(household));
  await signInAt(visited.page);
  await visited.page.locator('.files').waitFor();
  await visited.page.goto(address(household, `/files/${page}?path=${encodeURIComponent(`/ROOT/HOME/${name}`)}`));
  return visited;
}

describe('Markdown', () => {
  it('is shown formatted', async () => {
    const { page, context, complaints } = await at('item', 'Plum jam.md');
    const frame = page.frameLocator('iframe.framed');
    await frame.getByRole('heading', { name: 'What it takes' }).waitFor();
    await expect.poll(() => frame.locator('strong').textContent()).toBe('six jars');
    await expect.poll(() => frame.getByRole('row').count()).toBe(3);
    await expect
      .poll(() => frame.locator('article').textContent())
      .toContain('the drying rack https://recipes.example/drying');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('runs, loads and opens nothing that it contains', async () => {
    const { page, context, complaints } = await at('item', 'Hostile.md');
    const shown = () => page.frames().find((one) => one.url().includes('/files/view'));
    await expect.poll(shown).toBeDefined();
    const frame = shown();
    if (frame === undefined) throw new Error('there is no frame');
    const article = frame.locator('article');
    await article.waitFor();
    await expect.poll(() => article.locator('a, img, script, style, [onerror], [href], [src]').count()).toBe(0);
    const text = await article.textContent();
    for (const words of ['<script>document.title', 'onerror="document', 'Picture: pixel', '<b> stay words']) {
      expect(text).toContain(words);
    }
    expect(await frame.title()).toBe('Hostile.md');
    // What would get past that is stopped by the policy: markup of one's own neither runs nor loads.
    await frame.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<img src="/icons/pdf.svg" onerror="document.title = 1">');
       document.body.append(Object.assign(document.createElement('script'), { textContent: 'document.title = 2' }))`,
    );
    await expect.poll(() => complaints.join('\n')).toMatch(/img-src|default-src/);
    await expect.poll(() => complaints.join('\n')).toMatch(/inline script/);
    expect(await frame.title()).toBe('Hostile.md');
    expect(await frame.evaluate('window.origin')).toBe('null');
    expect(complaints.filter((line) => line.startsWith('asked'))).toEqual([]);
    await context.close();
  });

  itInFull('is shown as text without JavaScript', async () => {
    const { page, context } = await at('view', 'Hostile.md', { javaScriptEnabled: false });
    await expect.poll(() => page.locator('pre').textContent()).toBe(HOSTILE);
    await context.close();
  });

  itInFull('shows a message if there is no text, or if it is truncated', async () => {
    for (const [name, sentence] of [
      ['Empty.md', t('viewer.empty')],
      ['Picture.md', t('viewer.notText.heading')],
      ['Long.md', t('viewer.cut', { size: '256 KB' })],
    ] as const) {
      const { page, context } = await at('view', name);
      await page.getByText(sentence).waitFor();
      await context.close();
    }
  });

  itInFull('is accessible in every size, light and dark', async () => {
    const { page, context, complaints } = await at('item', 'Plum jam.md');
    await page.frameLocator('iframe.framed').locator('article').waitFor();
    await inspect(page, 'viewer-markdown-item');
    await page.goto(address(household, `/files/view?path=${encodeURIComponent('/ROOT/HOME/Plum jam.md')}`));
    await page.locator('article').waitFor();
    await inspect(page, 'viewer-markdown');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
