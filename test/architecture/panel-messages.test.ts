import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { catalogue as application } from '../../dist/main/messages/messages.js';
import { catalogue as panel } from '../../dist/renderer-modules/messages/messages.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Source {
  readonly path: string;
  readonly program: Node;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.[cm]?tsx?$/.test(path) && !/\/messages\/|\/packaging\//.test(path))
    .map((path) => ({ path, program: parsed(path, readFileSync(join(ROOT, path), 'utf8')) }));
}

function parsed(path: string, text: string): Node {
  return parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
}

/** Nodes of TypeScript that hold an expression; all others are types and have no texts. */
const EXPRESSIONS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

function* below(node: Node, above: readonly Node[] = []): Generator<readonly [node: Node, above: readonly Node[]]> {
  if (node.type === 'ImportDeclaration' || (node.type.startsWith('TS') && !EXPRESSIONS.has(node.type))) return;
  yield [node, above];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* below(child, [...above, node]);
    }
  }
}

/** The text of a literal or a template, with `•` for each expression in it. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'JSXText') return String(node.value);
  if (node.type !== 'TemplateLiteral') return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('•');
}

const SHOWN =
  /^(?:aria-(?:label|valuetext|description|roledescription)|title|placeholder|alt|label|help|lead|description)$/;
const LETTERS = /\p{L}{2}/u;
/** The beginning of a sentence. */
const SENTENCE = /^\p{Lu}[\p{Ll}’]+ [\p{L}•]/u;
/** Proper names, process names and HTTP headers. */
const NAMES = ['Google Drive', 'Larder •', 'Bearer •'];

/** Whether people see the text, judging by its position in the source. */
function isShown(text: string, node: Node, above: readonly Node[]): boolean {
  const parent = above.at(-1);
  if (parent === undefined || !LETTERS.test(text) || text.startsWith('/') || NAMES.includes(text)) return false;
  const isMessage = above.some(({ type, callee }) => type === 'NewExpression' && /Error$/.test(nameOf(callee)));
  if (isMessage || parent.type === 'TaggedTemplateExpression') return false;
  if (node.type === 'JSXText') return true;
  if (parent.type === 'JSXAttribute') return SHOWN.test(nameOf(parent.name)) || SENTENCE.test(text);
  if (parent.type === 'JSXExpressionContainer') {
    const holder = above.at(-2);
    if (holder?.type !== 'JSXAttribute') return node.type === 'Literal';
    if (SHOWN.test(nameOf(holder.name))) return true;
  }
  return SENTENCE.test(text);
}

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? '') : '');

function shownIn({ path, program }: Source): string[] {
  return [...below(program)].flatMap(([node, above]) => {
    const text = textOf(node);
    return text !== null && isShown(text, node, above) ? [`${path}: ${text.trim()}`] : [];
  });
}

/** Keys that appear in no source, neither as a literal nor as a template. */
function unused(keys: readonly string[], sources: readonly Source[]): string[] {
  const literals = new Set<string>();
  const patterns: RegExp[] = [];
  for (const [node] of sources.flatMap(({ program }) => [...below(program)])) {
    const text = textOf(node);
    if (text === null) continue;
    if (node.type === 'Literal') literals.add(text);
    else if (/^[a-zA-Z]+\..*•/.test(text))
      patterns.push(new RegExp(`^${text.split('•').map(escaped).join('[\\w.-]+')}$`));
  }
  return keys.filter((key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)));
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe.each([
  ['main', application],
  ['renderer', panel],
] as const)('the texts of %s', (folder, catalogue) => {
  const messages: Readonly<Record<string, string>> = catalogue;
  const sources = sourcesIn(folder);

  it('are ICU messages, with the apostrophe of typography', () => {
    expect(Object.keys(messages).length).toBeGreaterThan(30);
    for (const [key, text] of Object.entries(messages)) {
      expect(key).toMatch(/^[a-z]\w*(?:\.[\w-]+)+$/);
      expect(() => new IntlMessageFormat(text, 'en-GB', undefined, { ignoreTag: true }), key).not.toThrow();
      expect(text, key).not.toMatch(/'|^\s|\s$| {2}/);
    }
  });

  it('are in one file each, and all of them are used', () => {
    const files = readdirSync(join(ROOT, folder, 'messages'), { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(ROOT, folder, 'messages', name));
    const keys = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map(([, key]) => key),
    );
    expect(keys.sort()).toEqual(Object.keys(messages).sort());
    expect(unused(keys as string[], sources)).toEqual([]);
  });

  it('are nowhere else', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap(shownIn)).toEqual([]);
  });
});

it('finds what people see, and nothing else', () => {
  const text = `
    const a = <b title="Look here" aria-label={\`Copy \${name}\`}>Hello {name} {'there'}</b>;
    const c = { word: 'Save changes', kind: 'not shown', more: \`Copied \${count} files\` };
    throw new RangeError('There is no such thing');`;
  expect(shownIn({ path: 'a', program: parsed('a.tsx', text) })).toEqual(
    ['Look here', 'Copy •', 'Hello', 'there', 'Save changes', 'Copied • files'].map((one) =>
      expect.stringContaining(one),
    ),
  );
});
