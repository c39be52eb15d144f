import { Api } from '../api.ts';
import { writeTree } from '../content.ts';
import { Larder } from '../larder.ts';
import { type Bench, repeat, timeOf, type Work } from '../work.ts';

const NAME = 'Tagged';
/** On a few files among all; asked for in other letters than it is written in. */
const RARE = { tag: 'Überraschung', word: 'uberraschung', files: 50 };
/** Files that have a tag in common. */
const ALBUM = 500;
const CONNECTIONS = 16;

/** Every file has a tag that many have, and a few have one more. */
export const searchTags: Work = {
  name: 'search-tags',
  targets: ['searchTags'],
  async run(bench, report) {
    const { sizes, scratch, runs } = bench;
    const larder = await Larder.open(scratch);
    await larder.stop();
    writeTree(larder.newFolder(NAME).real, sizes.treeFolders, sizes.treeFiles);
    await larder.start();
    await larder.control().then((control) => control.until(['ready']));
    await tagAll(bench, larder);
    const times = await repeat(20 * runs, async () => {
      let found = 0;
      const time = await timeOf(async () => {
        const { files } = await larder.api.post('files/search/', {
          path: '/ROOT/HOME',
          'meta[tag][]': RARE.word,
          'details[]': ['fileSize', 'mdate'],
        });
        found = (files as unknown[]).length;
      });
      if (found !== RARE.files) throw new Error(`${found} hits instead of ${RARE.files}`);
      return time;
    });
    report('searchTags', { larder: times });
    await larder.stop();
  },
};

async function tagAll({ sizes: { treeFolders, treeFiles } }: Bench, larder: Larder): Promise<void> {
  const all = treeFolders * treeFiles;
  const rare = Math.floor(all / RARE.files);
  let next = 0;
  const tagSome = async (api: Api) => {
    for (let index = next++; index < all; index = next++) {
      const file = `IMG_${String(index % treeFiles).padStart(5, '0')}.jpg`;
      const tags = [`Album ${Math.floor(index / ALBUM)}`, ...(index % rare === 0 ? [RARE.tag] : [])];
      const path = `/ROOT/HOME/${NAME}/folder ${Math.floor(index / treeFiles)}/${file}`;
      await api.post('files/tags/add', { path, 'tags[]': tags });
    }
    api.close();
  };
  const { port, authority, api } = larder;
  await Promise.all(Array.from({ length: CONNECTIONS }, () => tagSome(new Api(port, authority, api.token))));
}
