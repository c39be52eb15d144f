import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { catalogue as application } from '../../dist/main/messages/messages.js';
import { catalogue as panel } from '../../dist/renderer-modules/messages/messages.js';
import { below, LETTERS, type Node, nameOf, parsed, ROOT, SENTENCE, type Source, sourcesIn, textOf } from './syntax.ts';

const SHOWN =
  /^(?:aria-(?:label|valuetext|description|roledescription)|title|placeholder|alt|label|help|lead|description)$/;
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
  ['main', application, []],
  // What happened, and what imports report, reads the same on the pages of people.
  ['renderer', panel, ['server/messages/en/activity.ts', 'server/messages/en/import-reasons.ts']],
] as const)('the texts of %s', (folder, catalogue, shared) => {
  const messages: Readonly<Record<string, string>> = catalogue;
  const sources = sourcesIn(folder);

  it('are ICU messages with typographic apostrophes', () => {
    expect(Object.keys(messages).length).toBeGreaterThan(30);
    for (const [key, text] of Object.entries(messages)) {
      expect(key).toMatch(/^[a-z]\w*(?:\.[\w-]+)+$/);
      expect(() => new IntlMessageFormat(text, 'en-GB', undefined, { ignoreTag: true }), key).not.toThrow();
      expect(text, key).not.toMatch(/'|^\s|\s$| {2}/);
    }
  });

  it('are in one file each, and are all used', () => {
    const files = readdirSync(join(ROOT, folder, 'messages'), { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(ROOT, folder, 'messages', name))
      .concat(shared.map((name) => join(ROOT, name)));
    const keys = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map(([, key]) => key),
    );
    expect(keys.sort()).toEqual(Object.keys(messages).sort());
    expect(unused(keys as string[], sources)).toEqual([]);
  });

  it('are not written in the code', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap(shownIn)).toEqual([]);
  });
});

it('the check finds only visible texts', () => {
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
