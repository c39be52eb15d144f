import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Random } from '../../model/random.ts';
import { buildZip, DEFLATED, timeField } from '../../support/content/build-zip.ts';
import { openHousehold } from '../../support/households/household.ts';
import { mutate } from './corpus.ts';

const EXPECTED = ['200 ', '415 unsupported_media', '422 unsafe_archive', '422 corrupt_file'];

/** Some of each kind of what an archive can have. */
const WHOLE = {
  plain: buildZip([{ name: 'a.txt', content: 'stored' }, { name: 'b/', mode: 0o040755 }, { name: 'b/c.txt' }]),
  packed: buildZip([
    { name: 'text.txt', content: 'packed '.repeat(400), method: DEFLATED, extra: timeField(1_500_000_000) },
    { name: 'größe.txt', content: 'x', mode: 0o100644 },
  ]),
  behind: buildZip([{ name: 'a', content: 'sizes behind it', method: DEFLATED, descriptor: true }]),
  large: buildZip(
    [
      { name: 'a', content: 'ZIP64', zip64: true },
      { name: 'b', content: 'y' },
    ],
    { zip64: true },
  ),
};

/**
 * Lets a server unpack damaged archives: every one is unpacked whole or refused by its name, nothing is left of those that are
 * refused, nothing lies elsewhere, and the server stands.
 * @returns how often each answer came
 */
export async function unpackMutations(count: number, seed: number): Promise<Record<string, number>> {
  const household = await openHousehold();
  try {
    const api = await household.signIn();
    const random = new Random(seed);
    const answers: Record<string, number> = {};
    const archive = join(household.home, 'a.zip');
    const unpack = (to: string) =>
      api.post('files/extract', { path: '/ROOT/HOME/a.zip', extractTo: `/ROOT/HOME/${to}` });
    for (let number = 0; number < count; number += 1) {
      const [kind, zip] = random.pick(Object.entries(WHOLE));
      await writeFile(archive, mutate(zip, random));
      const to = `${number}`;
      await mkdir(join(household.home, to));
      const { status, body } = await unpack(to);
      const answer = `${status} ${body.code ?? ''}`;
      const which = `${kind}, number ${number} of seed ${seed}`;
      expect(EXPECTED, `${which}: ${answer}`).toContain(answer);
      expect((await readdir(join(household.home, to))).length, which).toBe(status === 200 ? 1 : 0);
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
    const names = Array.from({ length: count }, (_, number) => `${number}`);
    expect((await readdir(household.home)).sort()).toEqual([...names, '.larder-home', 'a.zip'].sort());
    expect(await readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
    expect((await readdir(household.folder)).sort()).toEqual(['.larder', 'homes']);
    for (const [kind, zip] of Object.entries(WHOLE)) {
      await writeFile(archive, zip);
      expect((await unpack('')).status, kind).toBe(200);
    }
    expect(household.logged()).not.toContain('unexpected failure');
    return answers;
  } finally {
    await household.close();
  }
}
