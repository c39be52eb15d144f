import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A node of a syntax tree (ESTree). */
export interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Source {
  readonly path: string;
  readonly program: Node;
}

export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

export function sourcesIn(folder: string, endings = /\.[cm]?tsx?$/): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => endings.test(path) && !/\/messages\/|\/packaging\//.test(path))
    .map((path) => ({ path, program: parsed(path, readFileSync(join(ROOT, path), 'utf8')) }));
}

export function parsed(path: string, text: string): Node {
  return parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
}

/** Nodes of TypeScript that hold an expression; all others are types and have no texts. */
const EXPRESSIONS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

export function* below(
  node: Node,
  above: readonly Node[] = [],
): Generator<readonly [node: Node, above: readonly Node[]]> {
  if (node.type === 'ImportDeclaration' || (node.type.startsWith('TS') && !EXPRESSIONS.has(node.type))) return;
  yield [node, above];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* below(child, [...above, node]);
    }
  }
}

/** The text of a literal or a template, with `•` for each expression in it. */
export function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'JSXText') return String(node.value);
  if (node.type !== 'TemplateLiteral') return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('•');
}

/** Of an identifier, or the last one of a member expression. */
export function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  return node.type === 'MemberExpression' ? nameOf(node.property) : String(node.name ?? '');
}

export const LETTERS = /\p{L}{2}/u;
/** The beginning of a sentence. */
export const SENTENCE = /^\p{Lu}[\p{Ll}’]+ [\p{L}•]/u;
