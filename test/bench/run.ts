import { failedRow, type Heading, judgedRow, type Row } from './rows.ts';
import type { Sizes } from './sizes.ts';
import { TARGETS, type TargetName } from './targets.ts';
import type { Bench, Work } from './work.ts';

/** Does one work after the other. One that breaks has failed, with its reason; the others go on. */
export async function runWorks(works: readonly Work[], bench: Bench, say: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const work of works) {
    say(`${work.name} …`);
    const found = new Map<TargetName, Row>();
    let reason = 'nothing was measured';
    try {
      await work.run(bench, (name, measured) => found.set(name, judgedRow(headingOf(name, bench.sizes), measured)));
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    // Whatever it was that went wrong, the next one has the machine for itself.
    await bench.scratch.clear();
    for (const name of work.targets) rows.push(found.get(name) ?? failedRow(headingOf(name, bench.sizes), reason));
  }
  return rows;
}

function headingOf(name: TargetName, sizes: Sizes): Heading {
  const { title, unit, bound } = TARGETS[name];
  return { name, title: title(sizes), unit, bound };
}
