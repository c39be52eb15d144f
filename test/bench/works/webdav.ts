import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { operationPath } from '../api.ts';
import { Load } from '../clients/load.ts';
import { writeContent, writeFiles } from '../content.ts';
import { Larder } from '../larder.ts';
import { peakMegabytes, residentMegabytes } from '../processes.ts';
import type { Measured } from '../rows.ts';
import { isCompared } from '../settled.ts';
import { alternate, type Work } from '../work.ts';
import { startBareNode } from '../yardsticks/bare-node.ts';

const MIB = 2 ** 20;

/** What file managers and sync programs ask for, and the details of the API that say the same. */
const PROPERTIES = ['resourcetype', 'getcontentlength', 'getlastmodified', 'getetag'];
const DETAILS = ['fileSize', 'mdate', 'etag'];

/** Requests for the same in every order: none of them can be answered with a body that was kept. */
const ASKED = ordersOf(PROPERTIES).map(
  (names) => `<propfind xmlns="DAV:"><prop>${names.map((name) => `<${name}/>`).join('')}</prop></propfind>`,
);
const ALL = ['<propfind xmlns="DAV:"><allprop/></propfind>'];

/** WebDAV beside the operations of the API that do the same. */
export const webdav: Work = {
  name: 'webdav',
  targets: ['davList', 'davAllProperties', 'davMemory', 'davDownload', 'davUpload'],
  async run({ scratch, sizes, runs, transfer }, report) {
    const larder = await Larder.open(scratch);
    const folder = larder.newFolder('Dav');
    writeFiles(folder.real, sizes.longList, 'bin');
    const films = larder.newFolder('Films');
    writeContent(join(films.real, 'film.mkv'), sizes.big);
    const headers = { authorization: `Bearer ${larder.api.token}` };
    const address = (name: string) => `/dav/My%20files/${name}`;
    const load = new Load(scratch);
    const common = { connections: 1, count: sizes.longListRequests, body: 0, ca: larder.authority, port: larder.port };
    // A limit of its own for each request, above the number of entries: from 90000.
    const query = { path: folder.path, 'details[]': DETAILS };
    const browse = {
      ...common,
      method: 'GET',
      path: `${operationPath('files/browse/', query)}&limit=9{n}`,
      digits: 4,
      headers,
    };
    const propfind = { ...common, method: 'PROPFIND', path: address('Dav/'), headers: { ...headers, depth: '1' } };
    const perMebibyte = await alternate(runs, {
      larder: () => load.runPerMebibyte({ ...propfind, texts: ASKED }),
      api: () => load.runPerMebibyte(browse),
    });
    report('davList', compared(perMebibyte));
    const bare = await startBareNode(scratch, larder.home, larder.certificate, headers.authorization);
    const rates = await alternate(runs, {
      larder: () => load.run({ ...propfind, texts: ALL }),
      bare: () => load.run({ ...common, port: bare.port, method: 'GET', path: '/Dav/', headers }),
    });
    const milliseconds = (samples: readonly number[]) => samples.map((rate) => 1_000 / rate);
    report('davAllProperties', {
      larder: milliseconds(rates.larder),
      yardsticks: [{ name: bare.name, samples: milliseconds(rates.bare) }],
    });
    const small = larder.newFolder('Small');
    writeFiles(small.real, sizes.shortList, 'bin');
    const growths: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      // A server of its own for every run: memory that one has taken would hide the next one's growth.
      await larder.stop();
      await larder.start();
      await isCompared(larder);
      const asked = { ...propfind, port: larder.port, texts: ALL };
      await load.run({ ...asked, path: address('Small/') });
      const before = residentMegabytes(larder.pid);
      growths.push((await peakMegabytes(larder.pid, () => load.run(asked))) - before);
    }
    report('davMemory', { larder: growths });
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

function compared({ larder, api }: { readonly larder: readonly number[]; readonly api: readonly number[] }): Measured {
  return { larder, yardsticks: [{ name: 'the API', samples: api }] };
}

function ordersOf(names: readonly string[]): string[][] {
  if (names.length === 0) return [[]];
  return names.flatMap((first) => ordersOf(names.filter((name) => name !== first)).map((rest) => [first, ...rest]));
}
