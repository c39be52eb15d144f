import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { below, ROOT, sourcesIn } from './syntax.ts';

/** Statements in the sources that write the identity of items, with the names of what is put into them. */
function statements(): string[] {
  const found: string[] = [];
  for (const { program, path } of sourcesIn('server')) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const [node] of below(program)) {
      if (node.type !== 'TemplateLiteral' && node.type !== 'Literal') continue;
      const value = text.slice(node.start as number, node.end as number);
      if (/\bUPDATE\b[\s\S]*\bSET\b(?:(?!\bWHERE\b|\bCASE\b)[\s\S])*\bidentity = (?:\?|value|excluded)/.test(value))
        found.push(value);
    }
  }
  return found;
}

it('every statement that writes the identity of an item also sets its tag and its hash', () => {
  const all = statements();
  expect(all.length).toBeGreaterThanOrEqual(3);
  expect(all.filter((sql) => !/\$\{(?:seenContent\(|SEEN_AGAIN\}|content\})/.test(sql))).toEqual([]);
});
