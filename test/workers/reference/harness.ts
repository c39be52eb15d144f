import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Values } from './differences.ts';
import { type Difference, expectSame } from './differences.ts';

/** Small files of one kind, a program that people know, and what both read. */
export interface Family {
  /** Of the file with its values in `test/fixtures/reference/`. */
  readonly name: string;
  /** By their names, each with the extension that decides on its reader. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly program: ReferenceProgram;
  /** What Larder reads. Values are named as those of the program. */
  larder(folder: string): Promise<Values>;
  /** At most 2 % of the values. */
  readonly differences: readonly Difference[];
}

export interface ReferenceProgram {
  readonly name: string;
  /** What the program is called and prints its version with. */
  readonly version: readonly [program: string, ...options: string[]];
  /** What it reads in all files of a folder. */
  read(folder: string): Values | Promise<Values>;
  /** Whether data are missing that are installed apart from it, and without which it reads less. */
  lacksData?(folder: string): boolean;
}

interface Stored {
  /** The program, with its version. */
  readonly by: string;
  /** The number of files. */
  readonly files: number;
  readonly values: Readonly<Record<string, unknown>>;
}

const fixtureOf = (name: string) => new URL(`../../fixtures/reference/${name}.json`, import.meta.url);

/**
 * The tests of a family: against the stored values and, where the program is installed, against what it reads now.
 * `LARDER_REFERENCE=store` stores what it reads in place of the former values.
 */
export function compareFamily(family: Family): void {
  const { name, files, program, differences } = family;
  const [command, ...options] = program.version;
  const probe = spawnSync(command, options, { encoding: 'utf8' });
  const installed =
    probe.error === undefined && !probe.stderr.startsWith('Traceback')
      ? ((probe.stdout.trim() || probe.stderr.trim()).split('\n')[0] ?? '').replace(
          /(?:\.| :)? (?:Copyright|Original|- libarchive) .*/,
          '',
        )
      : null;
  let folder: string;
  let read: Values;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), `larder-reference-${name}-`));
    await mkdir(join(folder, 'files'));
    for (const [file, content] of files) await writeFile(join(folder, 'files', file), content);
    read = await family.larder(join(folder, 'files'));
    if (process.env.LARDER_REFERENCE === 'store' && installed !== null) {
      const values = Object.fromEntries(
        [...(await program.read(join(folder, 'files')))].sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      const by = installed.startsWith(program.name) ? installed : `${program.name} ${installed}`;
      const stored: Stored = { by, files: files.size, values };
      await writeFile(fixtureOf(name), `${JSON.stringify(stored, null, 1)}\n`);
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  it(`${name} are read as in the stored values of ${program.name}`, async () => {
    const { by, values } = JSON.parse(await readFile(fixtureOf(name), 'utf8')) as Stored;
    expect(by).toContain(program.name);
    expectSame(read, new Map(Object.entries(values)), differences);
  });

  it.skipIf(installed === null)(`${name} are read as by the installed ${program.name}`, async ({ skip }) => {
    if (program.lacksData?.(join(folder, 'files')) === true) skip('it lacks data that are installed apart from it');
    expectSame(read, await program.read(join(folder, 'files')), differences);
  });
}

/** What a program prints. Its version may write warnings, which do not count. */
export function printed(program: string, options: readonly string[]): string {
  return execFileSync(program, options, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
}
