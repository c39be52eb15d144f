import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { packedPackages } from '../../dist/server/control/handlers/licences.js';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
}

/** Licences that require only attribution. */
const FREE = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unicode-DFS-2016',
]);
/** Licences that require more, and why they are acceptable: an unmodified library in separate, replaceable files. */
const CONSIDERED: readonly [package_: RegExp, licence: string][] = [
  [/^@img\/sharp-/, 'LGPL-3.0-or-later'],
  [/^libheif-js$/, 'LGPL-3.0'],
  [/^exifreader$/, 'MPL-2.0'],
  // Of Python, from which it was ported.
  [/^argparse$/, 'PSF-2.0'],
];

const read = async (name: string) => JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'));
const { packages } = (await read('package-lock.json')) as { packages: Record<string, Locked> };
const locked = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, one]) => ({ ...one, name: path.split('node_modules/').at(-1) ?? '' }));

/** SPDX: one of several alternatives must be accepted, or all of a combination. */
function isFine(name: string, licence: string): boolean {
  return licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) =>
      choice
        .split(' AND ')
        .every((one) => FREE.has(one) || CONSIDERED.some(([of, what]) => of.test(name) && what === one)),
    );
}

describe('dependencies', () => {
  it('are distributed only under licences that permit it', () => {
    const shipped = locked.filter(({ dev }) => dev !== true);
    expect(shipped.length).toBeGreaterThan(100);
    const others = shipped.filter(({ name, license = 'none' }) => !isFine(name, license));
    expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
  });

  it('are listed with the texts of their licences', async () => {
    const listed = await packedPackages();
    const direct = Object.keys((await read('package.json')).dependencies);
    expect(direct.filter((name) => !listed.some((one) => one.name === name))).toEqual([]);
    expect(listed.filter(({ licence }) => licence === '').map(({ name }) => name)).toEqual([]);
  });

  it('run no installation script except the one that compiles the database driver', async () => {
    const { allowScripts } = await read('package.json');
    const scripted = new Set(locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name));
    expect(Object.keys(allowScripts).sort()).toEqual([...scripted].sort());
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['sqlite3']);
  });

  it('are locked by their hashes, without an address', () => {
    expect(locked.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
    expect(locked.filter(({ integrity }) => !integrity?.startsWith('sha512-')).map(({ name }) => name)).toEqual([]);
  });
});
