import { below, isNode, type Node, nameOf } from './syntax.ts';

/** What a test uses to wait for time or to measure it. */
export type Use =
  | 'setTimeout'
  | 'setInterval'
  | 'timers/promises'
  | 'waitForTimeout'
  | 'AbortSignal.timeout'
  | 'Atomics.wait'
  | 'hrtime'
  | 'performance.now'
  | 'difference of Date.now'
  | 'deadline of its own';

const CALLS: readonly Use[] = ['setTimeout', 'setInterval', 'waitForTimeout', 'hrtime'];
const MEMBERS: readonly Use[] = ['AbortSignal.timeout', 'Atomics.wait', 'performance.now'];
const HOOKS = /^(?:it|itInFull|test|describe|describeInFull|beforeAll|beforeEach|afterAll|afterEach)$/;
const COMPARISONS = new Set(['-', '<', '>', '<=', '>=']);

/** Every use of time in a module, in the order of its text. */
export function usesOfTime(program: Node): Use[] {
  const found: Use[] = importsOf(program);
  for (const [node, above] of below(program)) {
    if (node.type === 'CallExpression') found.push(...usesOfCall(node));
    // `new Date(Date.now() - DAY)` is a date, for example of a file, and measures nothing.
    const isDate = above.at(-1)?.type === 'NewExpression' && nameOf(above.at(-1)?.callee) === 'Date';
    if (node.type === 'BinaryExpression' && COMPARISONS.has(String(node.operator)) && !isDate)
      for (const side of [node.left, node.right]) if (isDateNow(side)) found.push('difference of Date.now');
  }
  return found;
}

function importsOf(program: Node): Use[] {
  return (program.body as Node[])
    .filter(({ type, source }) => type === 'ImportDeclaration' && isNode(source) && isTimers(source))
    .filter(({ specifiers }) => (specifiers as Node[]).some(({ imported }) => nameOf(imported) !== 'setImmediate'))
    .map(() => 'timers/promises');
}

const isTimers = ({ value }: Node) => /^(?:node:)?timers\/promises$/.test(String(value));

function usesOfCall(node: Node): Use[] {
  const callee = node.callee as Node;
  const args = node.arguments as Node[];
  const name = nameOf(callee);
  const owner = callee.type === 'MemberExpression' ? nameOf(callee.object) : '';
  const found: Use[] = [...CALLS.filter((one) => one === name), ...MEMBERS.filter((one) => one === `${owner}.${name}`)];
  // Without a time it waits for another thread, or hangs.
  if (found[0] === 'Atomics.wait' && args.length < 4) found.pop();
  // `process.hrtime.bigint()`
  if (owner === 'hrtime') found.push('hrtime');
  const isTest = HOOKS.test(rootOf(callee)) && args.some(isFunction);
  if ((isTest && args.some(isNumber)) || ((isTest || name === 'poll') && args.some(hasTimeout)))
    found.push('deadline of its own');
  return found;
}

/** `it` of `it.each(rows)(…)`. */
function rootOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'CallExpression' || node.type === 'TaggedTemplateExpression')
    return rootOf(node.callee ?? node.tag);
  return node.type === 'MemberExpression' ? rootOf(node.object) : String(node.name ?? '');
}

const isFunction = ({ type }: Node) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
const isNumber = ({ type, value }: Node) => type === 'Literal' && typeof value === 'number';

function hasTimeout(node: Node): boolean {
  return (
    node.type === 'ObjectExpression' &&
    (node.properties as Node[]).some(({ key }) => nameOf(key) === 'timeout' || nameOf(key) === 'interval')
  );
}

function isDateNow(node: unknown): boolean {
  return (
    isNode(node) &&
    node.type === 'CallExpression' &&
    nameOf(node.callee) === 'now' &&
    nameOf((node.callee as Node).object) === 'Date'
  );
}
