import { describe, expect, it } from 'vitest';
import { below, isNode, type Node, nameOf, parsed, sourcesIn } from './syntax.ts';

// Tests share a process. What changes it for the others stands in a file that has one of its own: `*.apart.test.ts`.

/** Where a file has a process of its own, or the change is the purpose and is taken back. */
const OWN_PROCESS = /\.apart\.(?:test|full)\.ts$|^test\/(?:desktop|electron|trust|fixtures\/runner|support\/runner)\//;

/** The files that change the environment for the whole run, before any test. */
const PREPARING = ['test/support/browser/browser.ts', 'test/support/households/household-template.ts'];

const CHANGING = /^(?:chdir|seteuid|setegid|setuid|setgid|setgroups|umask|stubEnv)$/;

/** What a module changes in its process: a method, or a property of `process`. */
function changesOf(program: Node): string[] {
  const found: string[] = [];
  for (const [node] of below(program)) {
    // Without an argument, `umask` only reads.
    const isCall = node.type === 'CallExpression' && (node.arguments as unknown[]).length > 0;
    if (isCall && CHANGING.test(nameOf(node.callee))) found.push(nameOf(node.callee));
    const target =
      node.type === 'AssignmentExpression' ? node.left : node.type === 'UnaryExpression' ? node.argument : null;
    if (node.type === 'UnaryExpression' && node.operator !== 'delete') continue;
    const property = propertyOfProcess(target);
    if (property !== null) found.push(property);
  }
  return found;
}

/** `env` of `process.env.NAME`, `execPath` of `process.execPath`; the exit code is not among them. */
function propertyOfProcess(target: unknown): string | null {
  if (!isNode(target) || target.type !== 'MemberExpression') return null;
  const { object } = target;
  if (isNode(object) && object.type === 'MemberExpression' && nameOf(object) === 'env') return 'env';
  const isOfProcess = isNode(object) && object.type === 'Identifier' && nameOf(object) === 'process';
  return isOfProcess && nameOf(target) !== 'exitCode' ? nameOf(target) : null;
}

describe('no test changes the process that it shares with others', () => {
  it('in any file', () => {
    const changing = sourcesIn('test', /\.ts$/)
      .filter(({ path }) => !OWN_PROCESS.test(path))
      .map(({ path, program }) => [path, changesOf(program)] as const)
      .filter(([, changes]) => changes.length > 0);
    expect(changing.map(([path]) => path)).toEqual(PREPARING);
  });

  it.each([
    ["process.env.TZ = 'Europe/Berlin';", 'env'],
    ['delete process.env.TZ;', 'env'],
    ["process.env['TZ'] = 'UTC';", 'env'],
    ["process.execPath = '/nowhere';", 'execPath'],
    ['process.seteuid?.(65_534);', 'seteuid'],
    ["process.chdir('/');", 'chdir'],
    ["vi.stubEnv('TZ', 'UTC');", 'stubEnv'],
  ])('%s is refused', (code, change) => {
    expect(changesOf(parsed('example.ts', code))).toEqual([change]);
  });

  it.each([
    'process.exitCode = 1;',
    'process.umask();',
    'const zone = process.env.TZ;',
    'delete row.path;',
    'options.env = {};',
  ])('%s is allowed', (code) => {
    expect(changesOf(parsed('example.ts', code))).toEqual([]);
  });
});
