import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PANEL = 'renderer/panel';

/** The message keys of the labels of settings, by the pages that show them. */
function labels(): { readonly page: string; readonly key: string }[] {
  const pages = readdirSync(PANEL, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'));
  return pages.flatMap((page) => {
    const text = readFileSync(join(PANEL, page), 'utf8');
    const found = text.matchAll(/<Setting[A-Z]\w*\s[^>]*?name="[^>]*?label=\{t\('([^']+)'\)/gs);
    return [...found].map(([, key = '']) => ({ page, key }));
  });
}

it('the panel finds every setting by its label (Go to)', () => {
  const places = readFileSync(join(PANEL, 'go-to', 'places.ts'), 'utf8');
  const all = labels();
  expect(all.length).toBeGreaterThan(25);
  expect(all.filter(({ key }) => !places.includes(`t('${key}')`))).toEqual([]);
});
