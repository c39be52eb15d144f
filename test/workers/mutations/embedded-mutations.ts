import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { embeddedReaderOf } from '../../../dist/server/workers/embedded/kinds.js';
import { Random } from '../../model/random.ts';
import { fixture, openEmbeddedReader } from '../embedded-support.ts';
import { films } from '../reference/films/files.ts';
import { music } from '../reference/music/files.ts';
import { photos } from '../reference/photos/files.ts';
import { outcomeOf } from '../support.ts';
import { mutate } from './corpus.ts';

/** A damaged file says what can be read of it, or is refused by its name: it costs no worker, and no time. */
const EXPECTED = ['done', 'corrupt', 'unsupported', 'too_large'];
const FOLDERS = ['pictures', 'raw', 'audio', 'video', 'documents'];

/** @returns how often each outcome came */
export async function readEmbeddedMutations(count: number, seed: number): Promise<Record<string, number>> {
  const reading = await openEmbeddedReader();
  try {
    const whole = await wholeFiles();
    const random = new Random(seed);
    const outcomes: Record<string, number> = {};
    for (let number = 0; number < count; number += 1) {
      const { path, extension, content } = random.pick(whole);
      const outcome = await outcomeOf(reading.read(extension, mutate(content, random)));
      expect(EXPECTED, `${path}, number ${number} of seed ${seed}`).toContain(outcome);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    for (const { path, extension, content } of whole) {
      if (path !== 'documents/qpdf-user.pdf')
        expect((await reading.read(extension, content)).fields, path).not.toEqual([]);
    }
    // None of them took the worker with it.
    expect(reading.pids).toHaveLength(1);
    return outcomes;
  } finally {
    await reading.close();
  }
}

async function wholeFiles() {
  const folders = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(new URL(`../../fixtures/${folder}`, import.meta.url));
      return names.map((name) => `${folder}/${name}`);
    }),
  );
  const files = folders.flat().map((path) => ({ path, extension: path.slice(path.lastIndexOf('.') + 1) }));
  const read = files.filter(({ extension }) => embeddedReaderOf(extension) !== null);
  const stored = await Promise.all(read.map(async (file) => ({ ...file, content: await fixture(file.path) })));
  return [...stored, ...generated()];
}

/** Every tenth of the small files that are compared with other programs. */
function generated() {
  return [...films(), ...music(), ...photos()]
    .filter((_, index) => index % 10 === 0)
    .map(([path, content]) => ({
      path,
      extension: path.slice(path.lastIndexOf('.') + 1),
      content: Buffer.from(content),
    }));
}
