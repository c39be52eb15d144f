import { contents } from './contents.ts';

/** Something that the API document says and that can be tried. */
export interface Statement {
  /** The number of its section in the document, a dot, and its place in the section. */
  readonly id: string;
  /** In the document's own words, shortened. */
  readonly says: string;
  /**
   * The tests that fail when it is not so: `<file>: <title>`. Where a title is there more than once, the titles of what
   * it stands in go before it, with ` > ` between them. Of a test that runs over a table, one row: ` › <text in it>`.
   */
  readonly proof: readonly string[];
  /** Only without a proof: why nothing here can prove it. */
  readonly why?: string;
}

/** A section of the document, by its number there. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly statements: readonly Statement[];
  /** Only without statements: why there is nothing to try in it. */
  readonly none?: string;
}

export interface Count {
  readonly id: string;
  readonly title: string;
  readonly statements: number;
  /** Those with a test. */
  readonly proven: number;
}

/** How many statements every section has, and the whole document at the end. */
export function summary(sections: readonly Section[] = contents): readonly Count[] {
  const counts = sections.map(({ id, title, statements }) => ({
    id,
    title,
    statements: statements.length,
    proven: statements.filter(({ proof }) => proof.length > 0).length,
  }));
  const sum = (of: (count: Count) => number) => counts.reduce((all, count) => all + of(count), 0);
  const whole = { statements: sum((count) => count.statements), proven: sum((count) => count.proven) };
  return [...counts, { id: '', title: 'The API document', ...whole }];
}
