import { describe, expect, it } from 'vitest';
import { findViolations, importsOf, type Rules } from './checker.ts';

const rules: Rules = {
  layers: {
    'server/': [['lib'], ['http', 'storage'], ['files'], ['control'], ['app.ts']],
    'web-client/': [['lib'], ['files', 'viewer'], ['build.ts']],
  },
  shared: [
    { from: ['main/'], to: ['server/control/contract/'], why: 'the contract' },
    { from: ['web-client/lib/texts.ts'], to: ['server/files/texts.ts'], why: 'types' },
  ],
  builders: ['web-client/build.ts'],
  maxLines: 5,
  environment: ['server/lib/config.ts'],
  packageRules: [
    { packages: ['zod'], places: ['server/'], why: 'everywhere' },
    { packages: ['sqlite3'], places: ['server/storage/'], why: 'one opener' },
    { packages: ['node:fs'], places: ['server/storage/', 'server/lib/version.ts'], why: 'one opener' },
    { packages: ['electron'], places: ['main/'], why: 'no window in the server' },
  ],
  exceptions: [],
};

const check = (files: Record<string, string>, changes: Partial<Rules> = {}) =>
  findViolations(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    { ...rules, ...changes },
  );

const LIB = { 'server/lib/a.ts': 'export const a = 1;' };
const CONTRACT = { 'server/control/contract/c.ts': "import { z } from 'zod';" };

describe('code that follows the rules', () => {
  it('can import lower layers, its own folder, and packages that a rule allows', () => {
    const files = {
      ...LIB,
      ...CONTRACT,
      'server/lib/config.ts': 'export const port = process.env.PORT;',
      'server/storage/disk.ts': "import { open } from 'node:fs/promises';\nimport sqlite from 'sqlite3';",
      'server/files/get.ts':
        "import { a } from '../lib/a.ts';\nimport './put.ts';\nimport { hash } from 'node:crypto';",
      'server/files/put.ts': "import '../storage/disk.ts';",
      'server/app.ts': "import './files/get.ts';",
      'main/window.ts': "import { app } from 'electron';\nimport '../server/control/contract/c.ts';",
      'server/files/texts.ts': '',
      'web-client/lib/texts.ts': "import type { T } from '../../server/files/texts.ts';",
      'web-client/files/list.ts': "import '../lib/texts.ts';",
      'web-client/build.ts': "import { t } from '../dist/server/files/texts.js';",
    };
    expect(check(files)).toEqual([]);
  });

  it('can have comments and sentences that look like imports', () => {
    const text = "// import x from 'sqlite3';\n/* import y from\n 'sqlite3' */\nconst say = 'a rule from here';";
    expect(check({ 'server/lib/a.ts': text })).toEqual([]);
  });
});

describe('code that violates the rules', () => {
  it.each([
    [
      'a higher layer',
      'server/lib/b.ts',
      "import '../files/get.ts';",
      'imports server/files/get.ts, on a higher layer',
    ],
    [
      'the other folder of its layer',
      'server/http/b.ts',
      "import '../storage/disk.ts';",
      'imports server/storage/disk.ts, on its own layer',
    ],
    [
      'a type of a higher layer',
      'server/lib/b.ts',
      "import type { Get } from '../files/get.ts';",
      'imports server/files/get.ts, on a higher layer',
    ],
    [
      'what a higher layer exports',
      'server/lib/b.ts',
      "export * from '../files/get.ts';",
      'imports server/files/get.ts, on a higher layer',
    ],
    [
      'a higher layer, later',
      'server/lib/b.ts',
      "const get = await import('../files/get.js');",
      'imports server/files/get.ts, on a higher layer',
    ],
    [
      'a type of a higher layer, in passing',
      'server/lib/b.ts',
      "let get: import('../files/get.ts').Get;",
      'imports server/files/get.ts, on a higher layer',
    ],
    [
      'over several lines',
      'server/lib/b.ts',
      "import {\n  get,\n  put,\n} from '../files/get.ts';",
      'imports server/files/get.ts, on a higher layer',
    ],
    ['a folder without a layer', 'server/attic/b.ts', '', 'stands on no layer: add its folder to the table'],
    [
      'a file of ours that is not there',
      'server/lib/b.ts',
      "import './c.ts';",
      'imports ./c.ts, which is no file of ours',
    ],
    [
      'a name that cannot be read',
      'server/lib/b.ts',
      'await import(name);',
      'imports a module whose name cannot be read',
    ],
    ['a long file', 'server/lib/b.ts', '1\n2\n3\n4\n5\n6\n', 'has 6 lines, 5 at most'],
    [
      'a package outside of its folders',
      'server/lib/b.ts',
      "import sqlite from 'sqlite3';",
      'imports sqlite3, which it may not (one opener)',
    ],
    [
      'a part of a package outside of its folders',
      'server/files/b.ts',
      "import { rm } from 'node:fs/promises';",
      'imports node:fs/promises, which it may not (one opener)',
    ],
    [
      'a package by require',
      'server/lib/b.ts',
      "const sqlite = createRequire(import.meta.url)('sqlite3');",
      'imports sqlite3, which it may not (one opener)',
    ],
    [
      'a package nobody let in',
      'server/lib/b.ts',
      "import pad from 'left-pad';",
      'imports left-pad, which no rule names: add it to the table',
    ],
    [
      'the window',
      'server/app.ts',
      "import { app } from 'electron';",
      'imports electron, which it may not (no window in the server)',
    ],
    ['the environment', 'server/lib/b.ts', 'const port = process.env.PORT;', 'reads the environment'],
    ['the environment by its name', 'server/lib/b.ts', "const all = process['env'];", 'reads the environment'],
    ['the environment taken apart', 'server/lib/b.ts', 'const { env } = process;', 'reads the environment'],
    [
      'a contract that needs a package',
      'server/control/contract/b.ts',
      "import { randomUUID } from 'node:crypto';",
      'imports node:crypto, but the contract imports only zod',
    ],
    [
      'a contract that needs the server',
      'server/control/contract/b.ts',
      "import '../../lib/a.ts';",
      'imports server/lib/a.ts, but the contract imports only zod',
    ],
    [
      'a window that reaches into the server',
      'main/b.ts',
      "import '../server/lib/a.ts';",
      'imports server/lib/a.ts, which server/ does not share with it',
    ],
    [
      'a server that reaches into the window',
      'server/app.ts',
      "import '../main/window.ts';",
      'imports main/window.ts, which main/ does not share with it',
    ],
    [
      'a script of pages that reaches into the server',
      'web-client/lib/b.ts',
      "import '../../server/lib/a.ts';",
      'imports server/lib/a.ts, which server/ does not share with it',
    ],
    [
      'a script of pages that needs the contract',
      'web-client/files/b.ts',
      "import '../../server/control/contract/c.ts';",
      'imports server/control/contract/c.ts, which server/ does not share with it',
    ],
    [
      'a script of pages that reaches into another subject',
      'web-client/files/b.ts',
      "import '../viewer/a.ts';",
      'imports web-client/viewer/a.ts, on its own layer',
    ],
    [
      'a script that takes what is compiled',
      'web-client/files/b.ts',
      "import '../../dist/server/lib/a.js';",
      'imports ../../dist/server/lib/a.js, which is no file of ours',
    ],
  ])('is reported for %s', (_name, path, text, violation) => {
    const sound = {
      ...LIB,
      ...CONTRACT,
      'web-client/viewer/a.ts': '',
      'server/files/get.ts': '',
      'server/storage/disk.ts': '',
      'main/window.ts': '',
    };
    expect(check({ ...sound, [path]: text })).toEqual([`${path}: ${violation}`]);
  });

  it('is reported for a cycle, also of types', () => {
    const files = {
      'server/lib/a.ts': "import './b.ts';",
      'server/lib/b.ts': "import './c.ts';",
      'server/lib/c.ts': "import type { B } from './b.ts';",
    };
    expect(check(files)).toEqual(['cycle: server/lib/b.ts → server/lib/c.ts → server/lib/b.ts']);
  });
});

it('an exception is permitted only as long as it is needed', () => {
  const violation = 'server/lib/b.ts: reads the environment';
  const exceptions = [{ violation, why: 'for now' }];
  expect(check({ 'server/lib/b.ts': 'process.env' }, { exceptions })).toEqual([]);
  expect(check({ 'server/lib/b.ts': '' }, { exceptions })).toEqual([
    `no longer needed, remove this exception: ${violation}`,
  ]);
});

it('every form of import is found', () => {
  const code = `import a from 'one';
import { type B } from "two";
import 'three';
export { c } from 'four';
export type { D } from 'five';
const e = await import('six');
type F = typeof import('seven');
const g = require('eight');`;
  expect(importsOf(code).sort()).toEqual(['eight', 'five', 'four', 'one', 'seven', 'six', 'three', 'two']);
});
