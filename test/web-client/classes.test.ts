import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

function sourcesIn(folder: string, name: RegExp): string[] {
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => readFileSync(new URL(`${folder}/${path}`, ROOT), 'utf8'));
}

it('every class in the markup of pages has a style, or is used by a script or test', () => {
  const markup = sourcesIn('server/web', /\.ts$/).flatMap((text) => [...text.matchAll(/\bclass="([a-z -]+)"/g)]);
  const classes = new Set(markup.flatMap(([, names = '']) => names.split(' ').filter((name) => name !== '')));
  expect(classes.size).toBeGreaterThan(50);
  const styled = sourcesIn('web-client', /\.css$/).flatMap((text) => [...text.matchAll(/\.([a-z][a-z-]*)/g)]);
  const scripts = [...sourcesIn('web-client', /\.ts$/), ...sourcesIn('test/pages', /\.ts$/)].join('\n');
  const known = new Set(styled.map(([, name]) => name));
  const isUsed = (name: string) => known.has(name) || new RegExp(`[."'\` ]${name}\\b`).test(scripts);
  expect([...classes].filter((name) => !isUsed(name))).toEqual([]);
});
