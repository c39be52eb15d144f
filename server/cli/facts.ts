/** A line of a result: a label, and what it is. */
export type Fact = readonly [label: string, value: string];

/** Facts below each other, their values aligned. @param width of the labels, with the space behind them */
export function factLines(facts: readonly Fact[], width: number): string[] {
  return facts.map(([label, value]) => label.padEnd(width) + value);
}
