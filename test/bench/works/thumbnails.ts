import { statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { operationPath } from '../api.ts';
import { Load } from '../clients/load.ts';
import { startHelper } from '../helper.ts';
import { Larder } from '../larder.ts';
import { touchAll, writePhotos } from '../photos.ts';
import { alternate, pause, timeOf, type Work } from '../work.ts';
import { startBareNode } from '../yardsticks/bare-node.ts';
import type { BareSharpJob } from '../yardsticks/bare-sharp-process.ts';

const SIDE = 400;
/** At the same time: as many as there are workers. */
const PARALLEL = 2;
const CONNECTIONS = 8;
/** Milliseconds in which what changed on the disk is seen, and begun to be read. */
const SETTLED = 3_000;
/** Milliseconds in which what was made is written down. */
const WRITTEN = 1_000;
const PROGRAM = './yardsticks/bare-sharp-process.js';

export const thumbnails: Work = {
  name: 'thumbnails',
  targets: ['thumbnailsCold', 'thumbnailFirst', 'thumbnailsWarm'],
  async run({ scratch, sizes, runs }, report) {
    const larder = await Larder.open(scratch);
    const load = new Load(scratch);
    const { path, real } = larder.newFolder('Photos');
    const photos = await writePhotos(real, sizes.photos);
    const virtual = (file: string) => `${path}/${basename(file)}`;
    const address = operationPath('files/thumbnail', { path: `${path}/IMG_{n}.jpg` });
    const job = () => ({
      port: larder.port,
      ca: larder.authority,
      method: 'GET',
      headers: { authorization: `Bearer ${larder.api.token}` },
      body: 0,
    });
    let touched = 1_600_000_000;
    /** What they say of themselves is read in the background as well: that is over before anything is measured. */
    const anew = async () => {
      touchAll(photos, touched++);
      await larder.api.get('files/browse/', { path, itemType: 'any' });
      const control = await larder.control();
      do await pause(SETTLED);
      while ((await control.status()).embedded.waiting > 0);
    };

    const sharp = startHelper<BareSharpJob, number>(scratch, PROGRAM);
    const perSecond = (milliseconds: number) => (photos.length / milliseconds) * 1000;
    const cold = await alternate(runs, {
      larder: async () => {
        await anew();
        const made = await load.run({
          ...job(),
          connections: PARALLEL,
          count: photos.length,
          path: address.replace('%7Bn%7D', '{n}'),
          digits: 5,
        });
        // They are written down when nobody waits for more.
        await pause(WRITTEN);
        return made;
      },
      sharp: async () => perSecond(await sharp.ask({ files: photos, side: SIDE, parallel: PARALLEL })),
    });
    report('thumbnailsCold', {
      larder: cold.larder,
      yardsticks: [{ name: `bare sharp, ${PARALLEL} at a time`, samples: cold.sharp }],
      ...load.note,
    });

    const [photo = ''] = photos;
    const first = await alternate(runs, {
      larder: async () => {
        await anew();
        await larder.stop();
        await larder.start();
        await larder.api.get('files/browse/', { path, itemType: 'any' });
        return timeOf(() => larder.api.bytes('files/thumbnail', { path: virtual(photo) }));
      },
      sharp: () =>
        timeOf(async () => {
          await startHelper<BareSharpJob, number>(scratch, PROGRAM).ask({ files: [photo], side: SIDE, parallel: 1 });
        }),
    });
    report('thumbnailFirst', {
      larder: first.larder,
      yardsticks: [{ name: 'bare sharp, its process started for it', samples: first.sharp }],
    });

    const bytes = await larder.api.bytes('files/thumbnail', { path: virtual(photo) });
    if (bytes.length < 1_000 || bytes.length >= statSync(photo).size / 10) throw new Error('that is no thumbnail');
    const folder = scratch.newFolder('bare');
    writeFileSync(join(folder, 'thumbnail.jpg'), bytes);
    const bare = await startBareNode(scratch, folder, larder.certificate);
    const warm = await alternate(runs, {
      larder: () =>
        load.run({
          ...job(),
          connections: CONNECTIONS,
          count: sizes.warmThumbnails,
          path: operationPath('files/thumbnail', { path: virtual(photo) }),
        }),
      bare: () =>
        load.run({
          ...job(),
          headers: {},
          port: bare.port,
          connections: CONNECTIONS,
          count: sizes.warmThumbnails,
          path: '/thumbnail.jpg',
        }),
    });
    report('thumbnailsWarm', {
      larder: warm.larder,
      yardsticks: [{ name: `${bare.name}, the same bytes`, samples: warm.bare }],
      ...load.note,
    });
  },
};
