import { join } from 'node:path';
import { z } from 'zod';
import type { Layout } from '../storage/layout.ts';
import { plainStat, readPlain, replaceWith } from '../storage/plain-files.ts';

/** The results of the last verification of each backup. They are not stored in the backups, which are never changed. */
const FILE = 'checks.json';

const check = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Sentences; empty if it was intact. */
  problems: z.array(z.string()),
});
const checks = z.record(z.string(), check);

export type Check = z.infer<typeof check>;

interface Checks {
  /** @param folders of backups */
  of(folders: readonly string[]): Promise<Map<string, Check>>;
  /** @throws the system's error */
  remember(folder: string, found: Check): Promise<void>;
}

export function createChecks({ backups }: Pick<Layout, 'backups'>): Checks {
  const file = join(backups, FILE);

  async function read(): Promise<z.infer<typeof checks>> {
    try {
      return checks.parse(JSON.parse((await readPlain(file)).toString('utf8')));
    } catch {
      return {};
    }
  }

  return {
    async of(folders) {
      const all = await read();
      return new Map(folders.flatMap((folder) => (Object.hasOwn(all, folder) ? [[folder, all[folder] as Check]] : [])));
    },

    async remember(folder, found) {
      const all: [string, Check][] = [];
      for (const [path, one] of Object.entries(await read())) {
        // Results for removed backups are dropped; those on an unavailable disk too, since they can be verified again.
        if (path !== folder && (await plainStat(path).catch(() => null)) !== null) all.push([path, one]);
      }
      await replaceWith(file, `${JSON.stringify(Object.fromEntries([...all, [folder, found]]))}\n`);
    },
  };
}
