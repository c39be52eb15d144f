import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Installation } from '../../support/households/server-process.ts';

export interface LargeFolderReport {
  /** Entries of each reply. */
  readonly listed: readonly number[];
  /** The most that the server process had in memory at any time, in bytes. */
  readonly peak: number;
}

const CONCURRENCY = 200;
const DETAILS = ['fileSize', 'mdate', 'uuid'];

/** Lists a folder of so many files four times one after the other, then three times at once, by a server in a process of its own. */
export async function listLargeFolder(entries: number): Promise<LargeFolderReport> {
  const installation = await Installation.create();
  try {
    const folder = join(installation.home, 'many');
    await mkdir(folder);
    const names = Array.from({ length: entries }, (_, n) => `A file with a name of usual length ${n}.txt`);
    for (let at = 0; at < entries; at += CONCURRENCY) {
      await Promise.all(names.slice(at, at + CONCURRENCY).map((name) => writeFile(join(folder, name), '')));
    }
    const api = await installation.start();
    const list = async () => {
      // Without the check against the description: it takes longer than the listing.
      const query = new URLSearchParams({ path: '/ROOT/HOME/many' });
      for (const detail of DETAILS) query.append('details[]', detail);
      const { body } = await api.open('GET', `/api.php/files/browse?${query}`);
      const { success, data } = (await body.json()) as {
        success: boolean;
        data: { meta: { path: string }; files: { filename: string; uuid: string }[] };
      };
      if (!success || data.meta.path !== '/ROOT/HOME/many') throw new Error('this is no listing of the folder');
      // In natural order, each with the row of the catalogue.
      const isWhole = data.files.every(({ filename, uuid }, n) => filename === names[n] && uuid.length === 36);
      return isWhole ? data.files.length : 0;
    };
    const listed: number[] = [];
    for (let n = 0; n < 4; n += 1) listed.push(await list());
    listed.push(...(await Promise.all([list(), list(), list()])));
    return { listed, peak: await peakOf(installation.pid) };
  } finally {
    await installation.remove();
  }
}

/** What the kernel says of a process (Linux), in bytes. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024;
}
