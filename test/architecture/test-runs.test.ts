import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import long from '../../vitest.long.config.ts';
import trust from '../../vitest.trust.config.ts';
import { subjectsOf, subjectsWithFullForm } from '../subjects.mjs';

// A glob that matches nothing, as after moving files, would silently skip tests.

const files = readdirSync(new URL('../', import.meta.url), { recursive: true }).map((path) => `test/${path}`);

/** The globs of the configurations: `*`, `**`, and alternatives in braces. */
function expression(glob: string): RegExp {
  const parts: Record<string, string> = { '**/': '(.*/)?', '*': '[^/]*', '{': '(', '}': ')', ',': '|' };
  return new RegExp(`^${glob.replace(/\*\*\/|[*{},]|[.+?()[\]|^$\\]/g, (part) => parts[part] ?? `\\${part}`)}$`);
}

it.each([long, trust].flatMap(({ test }) => test?.include ?? []))('%s matches tests', (pattern) => {
  expect(files.filter((file) => expression(pattern).test(file))).not.toEqual([]);
});

const foldersIn = (path: string) =>
  readdirSync(new URL(`../../${path}/`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const subjects = foldersIn('test');

it.each([...foldersIn('server').map((folder) => `server/${folder}`), 'main', 'renderer', 'web-client', 'test/api'])(
  'a change in %s has subjects that exist',
  (folder) => {
    const found = subjectsOf(`${folder}/changed/file.ts`);
    expect(found).not.toEqual([]);
    expect(subjects).toEqual(expect.arrayContaining(found));
  },
);

it('a file of the full form is in a subject that has one', () => {
  const full = files.filter((file) => file.endsWith('.full.ts'));
  expect(full).not.toEqual([]);
  for (const file of full) expect([...subjectsWithFullForm()], file).toContain(file.split('/')[1]);
});
