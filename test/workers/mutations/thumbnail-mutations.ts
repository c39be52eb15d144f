import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect } from 'vitest';
import { findProgram } from '../../../dist/server/config/find-program.js';
import { thumbnailSourceOf } from '../../../dist/server/workers/thumbnails/kinds.js';
import { Random } from '../../model/random.ts';
import { isAlive, outcomeOf } from '../support.ts';
import { fixture, looksLike, openThumbnailPool, thumbnailOf } from '../thumbnail-support.ts';
import { mutate } from './corpus.ts';

/** What a damaged file may come to. A crash costs its own process; that it came to one is told. */
const EXPECTED = ['done', 'unsupported', 'corrupt', 'too_large', 'crashed'];
const FOLDERS = ['pictures', 'raw', 'audio', 'documents', 'video'];

/**
 * Has thumbnails made of damaged files of the corpus, two at a time as in the server: none hangs, and whole files have theirs
 * afterwards. @returns how often each outcome came
 */
export async function makeOfMutations(count: number, seed: number): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
  const pids: number[] = [];
  const pool = openThumbnailPool({ workers: 2 }, [], pids);
  const ffmpeg = findProgram('ffmpeg', process.env);
  const outcomes: Record<string, number> = {};
  try {
    const files: { name: string; content: Buffer }[] = [];
    for (const kind of FOLDERS) {
      for (const name of (await readdir(fixture(kind))).sort()) {
        const source = thumbnailSourceOf(extname(name).slice(1));
        if (source === null || (source === 'video' && ffmpeg === null)) continue;
        files.push({ name, content: await readFile(fixture(`${kind}/${name}`)) });
      }
    }
    const random = new Random(seed);
    let next = 0;
    const lane = async () => {
      while (next < count) {
        const number = next++;
        const { name, content } = random.pick(files);
        const path = join(folder, `${number}-${name}`);
        await writeFile(path, mutate(content, random));
        const outcome = await outcomeOf(
          thumbnailOf(pool, path, { ffmpeg, format: number % 2 === 0 ? 'jpeg' : 'webp' }),
        );
        expect(EXPECTED, `${name}, number ${number} of seed ${seed}`).toContain(outcome);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        await rm(path);
      }
    };
    await Promise.all([lane(), lane()]);
    expect(await looksLike(await thumbnailOf(pool, fixture('pictures/plain.jpg')))).toContain('red green');
    return outcomes;
  } finally {
    await pool.close();
    // What they took is given back with them.
    expect(pids.filter(isAlive)).toEqual([]);
    await rm(folder, { recursive: true });
  }
}
