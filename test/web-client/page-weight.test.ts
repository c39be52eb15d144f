import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type EntryFiles, readClientFiles } from '../../dist/server/web/shell/assets/client-files.js';
import {
  PAGE_ENTRIES,
  type PageEntry,
  VIEWER_ENTRIES,
  type ViewerEntry,
} from '../../dist/server/web/shell/assets/page-assets.js';

const pages = readClientFiles('');
const viewer = readClientFiles('viewer/');
const MAX = 60 * 1024;

/** What the pages load at once. `public-link/send.ts` is loaded by its page, at once too. */
const PAGES: Record<string, PageEntry[]> = {
  card: ['base'],
  account: ['base', 'account'],
  folder: ['base', 'account', 'filesStyles', 'files'],
  photos: ['base', 'account', 'filesStyles', 'files', 'photos'],
  'photo backup': ['base', 'account', 'filesStyles', 'files', 'photoBackupStyles', 'photoBackup'],
  import: ['base', 'account', 'filesStyles', 'files', 'importStyles'],
  item: ['base', 'account', 'filesStyles', 'files', 'comments', 'details'],
  share: ['base', 'account', 'filesStyles', 'files', 'share'],
  weblink: ['base', 'account', 'filesStyles', 'files', 'weblink'],
  link: ['base', 'linkStyles', 'comments', 'link'],
};

const VIEWS: Record<string, ViewerEntry[]> = {
  still: ['base', 'viewer'],
  pdf: ['base', 'viewer', 'pdf'],
  markdown: ['base', 'viewer', 'markdown'],
};

const filesOf = ({ styles, script, imports }: EntryFiles) => [
  ...styles,
  ...imports,
  ...(script === null ? [] : [script]),
];

/** Gzipped. */
function weigh(client: typeof pages, entries: readonly EntryFiles[]): number {
  const names = new Set(entries.flatMap(filesOf));
  return [...names].reduce((sum, name) => sum + gzipSync(readFileSync(client.path(name)), { level: 9 }).length, 0);
}

describe('the first load of a page', () => {
  it.each(Object.entries(PAGES))('is less than 60 KB: %s', (name, entries) => {
    const sending = name === 'link' ? [pages.entry('public-link/send.ts')] : [];
    const weight = weigh(pages, [...entries.map((entry) => pages.entry(PAGE_ENTRIES[entry])), ...sending]);
    expect(weight).toBeGreaterThan(1_000);
    expect(weight).toBeLessThan(MAX);
  });

  it.each(Object.entries(VIEWS))('is less than 60 KB in the frame: %s', (_name, entries) => {
    const weight = weigh(
      viewer,
      entries.map((entry) => viewer.entry(VIEWER_ENTRIES[entry])),
    );
    expect(weight).toBeLessThan(MAX);
  });
});

/** Static and dynamic ones, but no texts with "from" in them. */
const IMPORTS = /(?:\b(?:import|export)\b[\w\s{},*$]*\bfrom|\bimport\(?)\s*[`'"]([^`'"]+)[`'"]/g;

describe('the built client', () => {
  it('contains all entries of pages', () => {
    for (const source of Object.values(PAGE_ENTRIES)) expect(filesOf(pages.entry(source)).length).toBeGreaterThan(0);
    for (const source of Object.values(VIEWER_ENTRIES)) expect(filesOf(viewer.entry(source)).length).toBeGreaterThan(0);
    expect(() => pages.entry('files/other.ts')).toThrow('the built client has no files/other.ts');
  });

  it.each([
    ['', pages],
    ['viewer/', viewer],
  ])('is served completely: %s', (folder, client) => {
    const there = readdirSync(fileURLToPath(new URL(`../../dist/web-client/${folder}`, import.meta.url)));
    const built = there.filter((name) => !['viewer', 'icons', 'manifest.json'].includes(name));
    expect([...client.names].sort()).toEqual(built.sort());
    for (const name of built) expect(name).toMatch(/-[\w-]{8}\.(?:js|css)$/);
  });

  it('uses relative addresses, so that it works below any path', () => {
    for (const client of [pages, viewer]) {
      for (const name of client.names.filter((one) => one.endsWith('.js'))) {
        const code = readFileSync(client.path(name), 'utf8');
        const imports = [...code.matchAll(IMPORTS)].map(([, path]) => path);
        expect(
          imports.filter((path) => path?.startsWith('./') !== true),
          name,
        ).toEqual([]);
      }
    }
  });
});
