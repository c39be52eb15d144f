import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import long from '../../vitest.long.config.ts';
import trust from '../../vitest.trust.config.ts';

// A glob that matches nothing, as after a move of its files, leaves tests out of a run without a word.

const project = fileURLToPath(new URL('../../', import.meta.url));

it.each([long, trust].flatMap(({ test }) => test?.include ?? []))('%s matches tests', (pattern) => {
  expect(globSync(pattern, { cwd: project })).not.toEqual([]);
});
