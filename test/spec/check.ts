import { type NamedTest, testsIn } from './sources.ts';
import type { Section, Statement } from './table.ts';

/** Everything that is wrong with the table, a line each; empty when every statement has tests that are there. */
export function findGaps(
  sections: readonly Section[],
  tests: (path: string) => readonly NamedTest[] = testsIn,
): readonly string[] {
  const gaps: string[] = [];
  const ids = new Set<string>();
  for (const { id, statements, none = '' } of sections) {
    if (ids.has(id)) gaps.push(`section ${id} is there twice`);
    ids.add(id);
    if (statements.length === 0 && none === '') gaps.push(`section ${id} has no statement`);
    if (statements.length > 0 && none !== '') gaps.push(`section ${id} has statements, and says why it has none`);
    for (const statement of statements) {
      if (ids.has(statement.id)) gaps.push(`${statement.id} is there twice`);
      ids.add(statement.id);
      if (!statement.id.startsWith(`${id}.`) || !/^\d+$/.test(statement.id.slice(id.length + 1))) {
        gaps.push(`${statement.id} is no number in section ${id}`);
      }
      gaps.push(...gapsOf(statement, tests).map((gap) => `${statement.id}: ${gap}`));
    }
  }
  return gaps;
}

function gapsOf(statement: Statement, tests: (path: string) => readonly NamedTest[]): readonly string[] {
  const { says, proof, why = '' } = statement;
  if (says === '') return ['says nothing'];
  if (proof.length === 0) return why === '' ? ['has no proof, and does not say why'] : [];
  if (why !== '') return ['has a proof, and says why it has none'];
  return proof.flatMap((reference) => gapIn(reference, tests) ?? []);
}

function gapIn(reference: string, tests: (path: string) => readonly NamedTest[]): string | null {
  const [, path = '', named = '', row] = /^(test\/\S+\.test\.ts): (.+?)(?: › (.+))?$/s.exec(reference) ?? [];
  if (path === '') return `"${reference}" is no reference: <file>.test.ts: <title>`;
  const known = tests(path);
  if (known.length === 0) return `there are no tests in ${path}`;
  const titles = named.split(' > ');
  const meant = known.filter((test) => {
    const end = test.titles.slice(-titles.length);
    return end.length === titles.length && end.every((title, index) => title === titles[index]);
  });
  if (meant.length === 0) return `${path} has no test "${named}"`;
  const fitting = row === undefined ? meant : meant.filter(({ rows }) => rows.has(row));
  if (fitting.length === 0) return `"${named}" in ${path} has no row "${row}"`;
  if (fitting.length > 1) return `${path} has more than one test "${named}": name what it stands in`;
  return null;
}
