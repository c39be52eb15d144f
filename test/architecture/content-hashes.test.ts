import { expect, it } from 'vitest';
import { below, sourcesIn } from './syntax.ts';

/** Texts in the sources that are statements which write the identity of items. */
function statements(): string[] {
  const found: string[] = [];
  for (const { program } of sourcesIn('server')) {
    for (const [node] of below(program)) {
      const value = node.type === 'TemplateElement' ? (node.value as { cooked: string }).cooked : node.value;
      if (
        typeof value === 'string' &&
        /\bUPDATE\b[\s\S]*\bSET\b[\s\S]*\bidentity = (?:\?|value|excluded)/.test(value)
      ) {
        found.push(value);
      }
    }
  }
  return found;
}

it('every statement that writes the identity of an item says what becomes of the hash of its content', () => {
  const all = statements();
  expect(all.length).toBeGreaterThanOrEqual(3);
  expect(all.filter((sql) => !/\bsha256 = /.test(sql))).toEqual([]);
});
