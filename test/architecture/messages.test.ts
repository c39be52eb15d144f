import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { catalogue, LOCALE } from '../../dist/server/messages/catalogue.js';
import { activityMessages } from '../../dist/server/messages/en/activity.js';
import { t } from '../../dist/server/messages/messages.js';
import { keysIn } from '../../web-client/compile-messages.ts';

const require = createRequire(import.meta.url);
const MessageFormat: typeof import('@messageformat/core').default = require('@messageformat/core');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const keys = Object.keys(catalogue);

function sourcesIn(...folders: readonly string[]): { path: string; code: string }[] {
  return folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.[cm]?ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((path) => !path.startsWith('server/messages/'))
    .map((path) => ({ path, code: withoutComments(readFileSync(join(ROOT, path), 'utf8')) }));
}

const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|(?<=[;{,)] )\/\/ .*$/gm, '');

/** API errors have sentences for programs; pages choose texts by error code. */
const INTERNAL = /new (?:Type|Range)?Error\(\s*'[^'\n]*'|summary: '[^'\n]*'/g;

const LITERALS = [
  // A sentence, or its beginning.
  /(['`])[A-Z][a-z’]*,? [a-z][^'`\n]*\1/g,
  // Between the tags of markup.
  />[^<>{}$`;=]*[A-Za-z]{2}[^<>{}$`;=]*<\//g,
  // Attributes shown or read to people, in markup and in scripts.
  /\b(?:aria-label|aria-description|title|placeholder|alt)="[^"$]*[A-Za-z]/g,
  /(?:'aria-label'|\b(?:title|placeholder|alt)): '[^']*[A-Za-z]/g,
];

const literalsIn = (code: string): string[] => {
  const text = code.replace(INTERNAL, '').replace(/&\w+;/g, '');
  return LITERALS.flatMap((pattern) => [...text.matchAll(pattern)].map(([found]) => found));
};

describe('messages', () => {
  const format = new MessageFormat(LOCALE, { strict: true });

  it.each(Object.entries(catalogue))('%s is an ICU message', (key, text) => {
    // Both parsers, that of the server and that of the build, accept it.
    const values = new Proxy({}, { get: () => 1, has: () => true });
    const write = t as (key: string, values: object) => string;
    expect(write(key, values)).not.toBe('');
    expect(() => format.compile(text)).not.toThrow();
    // A straight apostrophe is syntax.
    expect(text).not.toMatch(/'/);
    expect(text).toBe(text.trim());
  });

  it('are all used', () => {
    const used = new Set(sourcesIn('server', 'web-client').flatMap(({ code }) => keysIn(code, keys)));
    // Sentences on activity are named by their kinds: the test of the panel, which has them all, looks for them.
    expect(keys.filter((key) => !used.has(key) && !Object.hasOwn(activityMessages, key))).toEqual([]);
  });

  it('give the same texts in browsers, where they are compiled', () => {
    const inScripts = keysIn(
      sourcesIn('web-client')
        .map(({ code }) => code)
        .join('\n'),
      keys,
    );
    expect(inScripts.length).toBeGreaterThan(100);
    const write = t as (key: string, values: object) => string;
    for (const key of inScripts) {
      const compiled = format.compile(catalogue[key as keyof typeof catalogue]);
      for (const value of [0, 1, 2, 1_234]) {
        const values = new Proxy({}, { get: () => value, has: () => true });
        expect(compiled(values), key).toBe(write(key, values));
      }
    }
  });

  it('contain all texts of pages, scripts and e-mails', () => {
    const found = sourcesIn('server/web', 'server/mail', 'web-client').flatMap(({ path, code }) =>
      literalsIn(code).map((literal) => `${path}: ${literal}`),
    );
    expect(found).toEqual([]);
  });
});

/** In sources, with a placeholder. */
const template = (text: string) => text.replace('{', '$' + '{');

describe('the checks', () => {
  it('find keys as strings and in templates', () => {
    const some = ['files.view.list', 'files.view.gallery', 'files.view', 'files.more', 'files.more.help'];
    expect(keysIn("t('files.more')", some)).toEqual(['files.more']);
    expect(keysIn(template('t(`files.view.{name}`)'), some)).toEqual(['files.view.list', 'files.view.gallery']);
    expect(keysIn(template('t(`files.{name}.help`)'), some)).toEqual(['files.more.help']);
  });

  it('find texts outside of the catalogue', () => {
    expect(literalsIn("const text = 'Saved in the trash.';")).toHaveLength(1);
    expect(literalsIn('html`<p class="a">Saved</p>`')).toHaveLength(1);
    expect(literalsIn('html`<a title="Close"></a>`')).toHaveLength(1);
    expect(literalsIn("make('p', { 'aria-label': 'Close' })")).toHaveLength(1);
    expect(literalsIn("throw new ApiError('not_found', 'There is none.');")).toHaveLength(1);
    expect(literalsIn("throw new Error('There is none.');")).toEqual([]);
    expect(literalsIn(template('html`<p title="{t(\'a.b\')}"></p>`'))).toEqual([]);
  });
});
