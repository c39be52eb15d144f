import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BinaryOfficeFiles, openBinaryOffice } from './binary-office-support.ts';
import { compareFamily } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { libreOffice, readByLarder } from './reference/office/by-libreoffice.ts';
import { outcomeOf } from './support.ts';
import { openTextReader, type TextReading } from './text-support.ts';

// Documents of Office before 2007, as LibreOffice saves them.

const saved: BinaryOfficeFiles = openBinaryOffice();
const names = [...saved.keys()];

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

compareFamily({
  name: 'binary-office',
  files: saved,
  program: libreOffice(names),
  larder: (folder) => readByLarder(reading, folder, names),
  differences: DIFFERENCES.binaryOffice,
});

/** The same numbers each time (Lehmer). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
}

it.each(['text.doc', 'table.xls', 'slides.ppt'])('%s is read or refused, with any kind of damage', async (name) => {
  const whole = saved.get(name) ?? Buffer.alloc(0);
  const next = numbersFrom(whole.length);
  const extension = name.slice(-3);
  for (let round = 0; round < 400; round += 1) {
    const content = Buffer.from(whole.subarray(0, round % 10 === 0 ? next() % whole.length : whole.length));
    // Where the header, the tables and the directory are, and everywhere else.
    const within = round % 3 === 0 ? 1_536 : content.length;
    for (let change = 0; change <= round % 8 && content.length > 4; change += 1) {
      const at = next() % (Math.min(within, content.length) - 3);
      if (change % 2 === 0) content[at] = next() % 256;
      else content.writeUInt32LE([0, 0xff_ff_ff_ff, 0x7f_ff_ff_ff, next() % 1_000][next() % 4] ?? 0, at);
    }
    const outcome = await outcomeOf(reading.words(extension, content));
    expect(['done', 'corrupt', 'unsupported'], `round ${round}: ${outcome}`).toContain(outcome);
  }
  expect(new Set(reading.pids).size).toBe(1);
});
