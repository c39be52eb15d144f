import { dataOf } from '../api.ts';
import { writeFiles, writeTree } from '../content.ts';
import { Larder } from '../larder.ts';
import { peakMegabytes, residentMegabytes } from '../processes.ts';
import { isCompared } from '../settled.ts';
import { type Bench, pause, repeat, timeOf, type Work } from '../work.ts';

const NAME = 'Pictures';
const OTHER_NAME = 'Photographs';

export const tree: Work = {
  name: 'tree',
  targets: ['rename', 'trash', 'restore'],
  async run(bench, report) {
    const larder = await openTree(bench);
    const { api } = larder;
    const rename = (from: string, to: string) =>
      timeOf(() => api.get('files/rename/', { path: `/ROOT/HOME/${from}`, newName: to }));
    const renames = await repeat(bench.runs, async () => [
      await rename(NAME, OTHER_NAME),
      await rename(OTHER_NAME, NAME),
    ]);
    report('rename', { larder: renames.flat() });

    const deletions = await repeat(bench.runs, async () => {
      let path = '';
      const trash = await timeOf(async () => {
        const data = await api.get('files/delete/', { path: `/ROOT/HOME/${NAME}` });
        path = String(data.trash_path);
      });
      return { trash, restore: await timeOf(() => api.get('files/trash/restore', { path })) };
    });
    report('trash', { larder: deletions.map(({ trash }) => trash) });
    report('restore', { larder: deletions.map(({ restore }) => restore) });
  },
};

export const recursive: Work = {
  name: 'recursive',
  targets: ['recursiveMemory'],
  async run(bench, report) {
    const larder = await openTree(bench);
    const small = larder.newFolder('Small');
    writeFiles(small.real, bench.sizes.treeFiles);
    const all = bench.sizes.treeFolders * (bench.sizes.treeFiles + 1);
    const growths: number[] = [];
    for (let run = 0; run < bench.runs; run += 1) {
      // A server of its own for every run: memory that one has taken would hide the next one's growth.
      await larder.stop();
      await larder.start();
      // What the server does by itself after a start is not what the listing needs.
      await isCompared(larder);
      await readRecursively(larder, small.path, bench.sizes.treeFiles);
      const before = residentMegabytes(larder.pid);
      const peak = await peakMegabytes(larder.pid, () => readRecursively(larder, `/ROOT/HOME/${NAME}`, all));
      growths.push(peak - before);
    }
    report('recursiveMemory', { larder: growths });
  },
};

/** A tree that the catalogue knows: every folder has been listed once. */
async function openTree({ scratch, sizes }: Bench): Promise<Larder> {
  const larder = await Larder.open(scratch);
  const { path, real } = larder.newFolder(NAME);
  const folders = writeTree(real, sizes.treeFolders, sizes.treeFiles);
  for (const folder of ['', ...folders.map((name) => `/${name}`)]) {
    const query = { path: `${path}${folder}`, itemType: 'any', 'details[]': ['uuid'] };
    const { files } = await larder.api.get('files/browse/', query);
    const expected = folder === '' ? sizes.treeFolders : sizes.treeFiles;
    if (!Array.isArray(files) || files.length !== expected) throw new Error(`${path}${folder} is not listed in full`);
  }
  return larder;
}

/** So much is read at once, and then nothing for so long: the server has to wait for its reader. */
const GULP = 512 * 1024;
const PAUSE = 20;
/** Every item of a listing has it, once. */
const KEY = '"filename":';

/** Reads the reply as it comes, counts its items and keeps nothing. */
async function readRecursively(larder: Larder, path: string, items: number): Promise<void> {
  const query = { path, itemType: 'any', recursive: 1, 'details[]': ['fileSize', 'mdate'] };
  const reply = await larder.api.open('files/browse/', query);
  let [count, sinceGulp, kept, beginning, end] = [0, 0, '', '', ''];
  for await (const chunk of reply) {
    const piece: string = chunk.toString('latin1');
    const text = kept + piece;
    count += text.split(KEY).length - 1;
    // A key that is cut in two is counted with the next piece.
    kept = text.slice(Math.max(text.lastIndexOf(KEY) + 1, text.length - KEY.length + 1));
    if (beginning.length < 2_000) beginning += piece;
    end = (end + piece).slice(-200);
    sinceGulp += chunk.length;
    if (sinceGulp >= GULP) {
      sinceGulp = 0;
      await pause(PAUSE);
    }
  }
  if (reply.statusCode !== 200) dataOf(beginning);
  if (!`${beginning} ${end}`.includes('"success":true')) throw new Error('the reply does not say success');
  if (count !== items) throw new Error(`${count} items instead of ${items} came`);
}
