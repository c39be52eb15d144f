import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import long from '../../vitest.long.config.ts';
import trust from '../../vitest.trust.config.ts';

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
