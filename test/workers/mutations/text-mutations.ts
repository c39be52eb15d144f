import { expect } from 'vitest';
import { Random } from '../../model/random.ts';
import { documents } from '../../support/content/documents.ts';
import { makePdf } from '../../support/content/make-pdf.ts';
import { workbookDates } from '../reference/office/dates.ts';
import { officeFiles } from '../reference/office/files.ts';
import { pdfs } from '../reference/pdf/files.ts';
import { rtfFiles } from '../reference/rtf/files.ts';
import { outcomeOf } from '../support.ts';
import { openTextReader } from '../text-support.ts';
import { mutate } from './corpus.ts';

/** A damaged document is read as far as it can be, or refused by its name: it costs no worker, and no time. */
const EXPECTED = ['done', 'corrupt', 'unsupported', 'too_large'];

/** @returns how often each outcome came */
export async function readMutations(count: number, seed: number): Promise<Record<string, number>> {
  const reading = await openTextReader();
  try {
    const whole: [string, Buffer][] = Object.entries(documents);
    whole.push(['pdf', makePdf([['Rechnung'], ['Seite']], { isCompressed: true, password: '' })]);
    const others = [...pdfs(), ...officeFiles(), ...rtfFiles(), ...workbookDates()].filter(
      (_, index) => index % 7 === 0,
    );
    const all = [
      ...whole,
      ...others.map(([name, content]) => [name.slice(name.lastIndexOf('.') + 1), content] as const),
    ];
    const random = new Random(seed);
    const outcomes: Record<string, number> = {};
    for (let number = 0; number < count; number += 1) {
      const [kind, document] = random.pick(all);
      const outcome = await outcomeOf(reading.words(kind, mutate(document, random)));
      expect(EXPECTED, `${kind}, number ${number} of seed ${seed}`).toContain(outcome);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    for (const [kind, document] of whole) expect(await reading.words(kind, document), kind).toContain('rechnung');
    // None of them took the worker with it.
    expect(reading.pids).toHaveLength(1);
    return outcomes;
  } finally {
    await reading.close();
  }
}
