import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { contract } from '../../dist/server/control/contract/contract.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function textsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

it('every control method is used by the panel or the command line', () => {
  const texts = ['renderer', 'server/cli'].flatMap(textsIn);
  const methods = Object.keys(contract);
  expect(texts.length).toBeGreaterThan(50);
  expect(methods.length).toBeGreaterThan(50);
  expect(methods.filter((method) => !texts.some((text) => text.includes(`'${method}'`)))).toEqual([]);
});
