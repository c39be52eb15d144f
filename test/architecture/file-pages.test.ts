import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FILE_PAGES } from '../../dist/server/web/files/page-paths.js';

const PAGES = fileURLToPath(new URL('../../server/web/files/', import.meta.url));

/** Addresses that are requested by pages and scripts, and are none themselves. */
const NO_PAGES = [
  '',
  '/content',
  '/download',
  '/film',
  '/last-seen',
  '/search/passage',
  '/session',
  '/sizes',
  '/storage',
  '/thumbnail',
  '/view',
];

it('every address below the file pages is listed as one of their pages or as another reply', () => {
  const found = new Set<string>(['/']);
  for (const file of readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(PAGES, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/router\.get\(\s*'\/files([^':]*)'/g)) found.add(path);
  }
  expect([...found].sort()).toEqual([...FILE_PAGES, ...NO_PAGES].sort());
});
