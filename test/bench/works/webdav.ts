import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { operationPath } from '../api.ts';
import { Load, type LoadJob } from '../clients/load.ts';
import { writeContent, writeFiles } from '../content.ts';
import { Larder } from '../larder.ts';
import { alternate, type Work } from '../work.ts';

const MIB = 2 ** 20;

/** What file managers and sync programs ask for. */
const ASKED =
  '<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>';

/** WebDAV beside the operations of the API that do the same. */
export const webdav: Work = {
  name: 'webdav',
  targets: ['davList', 'davDownload', 'davUpload'],
  async run({ scratch, sizes, runs, transfer }, report) {
    const larder = await Larder.open(scratch);
    const folder = larder.newFolder('Dav');
    writeFiles(folder.real, sizes.longList, 'bin');
    const films = larder.newFolder('Films');
    writeContent(join(films.real, 'film.mkv'), sizes.big);
    const headers = { authorization: `Bearer ${larder.api.token}` };
    const address = (name: string) => `/dav/My%20files/${name}`;
    const load = new Load(scratch);
    const list = (job: Pick<LoadJob, 'method' | 'path' | 'headers' | 'text'>) =>
      load.run({
        ...job,
        connections: 1,
        count: sizes.longListRequests,
        body: 0,
        ca: larder.authority,
        port: larder.port,
      });
    const query = { path: folder.path, 'details[]': ['fileSize', 'mdate'] };
    const browse = { method: 'GET', path: operationPath('files/browse/', query), headers };
    const propfind = { method: 'PROPFIND', path: address('Dav/'), headers: { ...headers, depth: '1' }, text: ASKED };
    const listings = await alternate(runs, { larder: () => list(propfind), api: () => list(browse) });
    report(
      'davList',
      compared(listings, (rate) => 1_000 / rate),
    );
    const move = async (url: string, upload: string | null) => {
      const { seconds, bytes } = await transfer({
        url: larder.url(url),
        headers,
        upload,
        authority: larder.certificate.authority,
      });
      if (bytes !== sizes.big) throw new Error(`${bytes} bytes instead of ${sizes.big} were transferred`);
      return sizes.big / MIB / seconds;
    };
    const file = { path: `${films.path}/film.mkv` };
    const downloads = await alternate(runs, {
      larder: () => move(address('Films/film.mkv'), null),
      api: () => move(operationPath('files/download/', file), null),
    });
    report('davDownload', compared(downloads));
    const source = join(scratch.newFolder('dav-source'), 'film.mkv');
    writeContent(source, sizes.big);
    // Each run makes a new file.
    const fresh = async (url: string) => {
      await rm(join(films.real, 'new.mkv'), { force: true });
      return move(url, source);
    };
    const uploads = await alternate(runs, {
      larder: () => fresh(address('Films/new.mkv')),
      api: () => fresh(operationPath('files/upload', { path: `${films.path}/new.mkv` })),
    });
    report('davUpload', compared(uploads));
  },
};

function compared(
  { larder = [], api = [] }: Readonly<Record<string, readonly number[]>>,
  value: (sample: number) => number = (sample) => sample,
) {
  return { larder: larder.map(value), yardsticks: [{ name: 'the API', samples: api.map(value) }] };
}
