import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

/** A test as its source names it. */
export interface NamedTest {
  /** The titles of what it stands in, then its own, as they are written. */
  readonly titles: readonly string[];
  /** What stands in the tables that it runs over, each row by its texts. */
  readonly rows: ReadonlySet<string>;
}

interface Node {
  readonly type: string;
  readonly [name: string]: unknown;
}

interface Call {
  readonly kind: 'suite' | 'test';
  readonly title: string;
  readonly isSkipped: boolean;
  readonly tables: readonly Node[];
  readonly body: readonly unknown[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KINDS: Readonly<Record<string, Call['kind']>> = {
  describe: 'suite',
  describeInFull: 'suite',
  it: 'test',
  itInFull: 'test',
  test: 'test',
};

/**
 * What `vitest` would run of a source, without running it. A title that is put together is known by its source; tests
 * that are always skipped, or run only in the full form, are none.
 * @param read the text of a file of the repository, or null when there is none
 */
export function testsIn(path: string, read: (path: string) => string | null = readSource): readonly NamedTest[] {
  const program = parse(path, read);
  if (program === null) return [];
  const tables = new Tables(read);
  const found: NamedTest[] = [];
  const walk = (value: unknown, titles: readonly string[], above: readonly string[]): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, titles, above);
    if (!isNode(value)) return;
    const call = callOf(value, read(path) ?? '');
    if (call === null) {
      for (const [name, child] of Object.entries(value)) if (name !== 'parent') walk(child, titles, above);
      return;
    }
    if (call.isSkipped) return;
    const rows = [...above, ...call.tables.flatMap((table) => tables.rowsOf(table, path))];
    if (call.kind === 'test') found.push({ titles: [...titles, call.title], rows: new Set(rows) });
    else walk(call.body, [...titles, call.title], rows);
  };
  walk(program, [], []);
  return found;
}

/** `it('…')`, `describe.each(table)('…')` and the like; null for every other piece of code. */
function callOf(node: Node, source: string): Call | null {
  if (node.type !== 'CallExpression') return null;
  const given = node.arguments as readonly Node[];
  const modifiers: string[] = [];
  const tables: Node[] = [];
  let callee = node.callee as Node;
  while (callee.type !== 'Identifier') {
    if (callee.type === 'CallExpression') {
      const inner = callee.callee as Node;
      if (inner.type === 'MemberExpression' && nameOf(inner.property) === 'each') {
        tables.push(...(callee.arguments as readonly Node[]));
      }
      callee = inner;
    } else if (callee.type === 'MemberExpression') {
      modifiers.push(nameOf(callee.property));
      callee = callee.object as Node;
    } else return null;
  }
  const name = nameOf(callee);
  const kind = KINDS[name];
  const [first, ...body] = given;
  if (kind === undefined || first === undefined || !Object.hasOwn(KINDS, name)) return null;
  const title = titleOf(first, source);
  if (title === null) return null;
  const isSkipped = modifiers.includes('skip') || modifiers.includes('todo') || name.endsWith('InFull');
  return { kind, title, isSkipped, tables, body };
}

function titleOf(node: Node, source: string): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral') return source.slice(Number(node.start) + 1, Number(node.end) - 1);
  return null;
}

/** Follows names to the tables that they stand for, also into the files that they are imported from. */
class Tables {
  readonly #read: (path: string) => string | null;

  constructor(read: (path: string) => string | null) {
    this.#read = read;
  }

  rowsOf(table: Node, path: string): readonly string[] {
    const rows: string[] = [];
    const seen = new Set<string>();
    const walk = (value: unknown, file: string): void => {
      if (Array.isArray(value)) for (const one of value) walk(one, file);
      if (!isNode(value)) return;
      if (value.type === 'Literal' && typeof value.value === 'string') rows.push(value.value);
      if (value.type === 'ObjectExpression') rows.push(...namedRow(value));
      if (value.type === 'Identifier') follow(nameOf(value), file);
      for (const [name, child] of Object.entries(value)) if (name !== 'parent') walk(child, file);
    };
    const follow = (name: string, file: string): void => {
      if (seen.has(`${file}:${name}`)) return;
      seen.add(`${file}:${name}`);
      const found = this.#definition(name, file);
      if (found !== null) walk(found.value, found.file);
    };
    walk(table, path);
    return rows;
  }

  #definition(name: string, file: string): { value: Node; file: string } | null {
    const program = parse(file, this.#read);
    for (const statement of (program?.body ?? []) as readonly Node[]) {
      if (statement.type === 'ImportDeclaration') {
        const from = (statement.source as Node).value as string;
        const names = (statement.specifiers as readonly Node[]).map(({ local }) => nameOf(local));
        if (from.startsWith('./') && names.includes(name)) return this.#definition(name, join(dirname(file), from));
      }
      const declaration = (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement) as Node;
      if (declaration?.type !== 'VariableDeclaration') continue;
      for (const { id, init } of declaration.declarations as readonly { id: Node; init: Node | null }[]) {
        if (nameOf(id) === name && init !== null) return { value: init, file };
      }
    }
    return null;
  }
}

/** A row of an operation: `of` and `what` as one text. */
function namedRow(object: Node): readonly string[] {
  const texts = new Map<string, string>();
  for (const property of object.properties as readonly Node[]) {
    if (property.type !== 'Property') continue;
    const value = property.value as Node;
    if (value.type === 'Literal' && typeof value.value === 'string') texts.set(nameOf(property.key), value.value);
  }
  const [of, what] = [texts.get('of'), texts.get('what')];
  return of !== undefined && what !== undefined ? [`${of}, ${what}`] : [];
}

const parsed = new Map<string, Node>();

function parse(path: string, read: (path: string) => string | null): Node | null {
  const text = read(path);
  if (text === null) return null;
  let program = parsed.get(text);
  if (program === undefined) {
    const { program: made, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`${path} is no TypeScript: ${errors[0]?.message}`);
    program = made as unknown as Node;
    parsed.set(text, program);
  }
  return program;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : '';
}

const texts = new Map<string, string | null>();

function readSource(path: string): string | null {
  let text = texts.get(path);
  if (text === undefined) {
    try {
      text = readFileSync(join(ROOT, path), 'utf8');
    } catch {
      text = null;
    }
    texts.set(path, text);
  }
  return text;
}
