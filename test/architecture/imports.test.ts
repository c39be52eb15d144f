import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findViolations, type SourceFile } from './checker.ts';
import { rules } from './rules.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function sourcesIn(folder: string): SourceFile[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file.slice(ROOT.length).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }));
}

it('the code imports only lower layers and permitted packages, without cycles and long files', () => {
  const files = ['server', 'main', 'renderer', 'web-client'].flatMap(sourcesIn);
  expect(files.length).toBeGreaterThan(50);
  expect(findViolations(files, rules)).toEqual([]);
});

it('the code decides in one place whether a web link has ended', () => {
  const deciding = sourcesIn('server')
    .filter(({ text }) =>
      /\.expiresAt <=|expiresAt <= now|downloads >= downloadLimit|new ApiError\('link_(?:expired|used_up)'/.test(text),
    )
    .map(({ path }) => path)
    .filter((path) => /weblink|link/.test(path));
  expect(deciding).toEqual(['server/weblinks/link-end.ts']);
});

it("folders of the disk to import are named only on the owner's side", () => {
  const sources = sourcesIn('server').filter(({ path }) => !path.startsWith('server/imports/'));
  const using = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  expect(using(/imports\/(?:folder-imports|import-folder-path|recorded-folder|sources\/)/).sort()).toEqual([
    'server/composition/dispatcher.ts',
    // Only what tells whether a folder is the household's own.
    'server/composition/imports.ts',
    'server/control/handlers/imports.ts',
  ]);
  // A root without a marker is a folder of the disk that is no home.
  const roots = sourcesIn('server').filter(({ text }) => /isForeign: true|foreignRoot\(/.test(text));
  expect(roots.map(({ path }) => path)).toEqual(['server/imports/sources/disk-folder.ts']);
  // The operations and the pages start imports of archives, whose folder is null.
  const adding = sourcesIn('server').filter(({ text }) => /imports\.add\(\{/.test(text));
  expect(adding.map(({ path }) => path).sort()).toEqual([
    'server/imports/change-imports.ts',
    'server/imports/folder-imports.ts',
  ]);
  expect(adding.find(({ path }) => path.endsWith('change-imports.ts'))?.text).toContain('folder: null,');
});
