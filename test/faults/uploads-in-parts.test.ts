import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TransferClient } from '../nextcloud/transfers.ts';
import { sampled } from '../support/forms.ts';
import { davClient } from '../support/webdav/dav-client.ts';
import { areaOf, expectAllWell, type Failing, openFailing, PowerCuts } from './support.ts';

const PARTS = ['the first part, ', 'the second one'];

describe('a power cut', () => {
  let cuts: PowerCuts;
  let app: TransferClient;
  beforeAll(async () => {
    cuts = await PowerCuts.open();
    app = new TransferClient(await davClient(cuts.api));
  });
  afterAll(() => cuts.close());

  const status = async (reply: Promise<{ status: number }>) => (await reply).status;
  /** Cuts the power during work of the app, which then goes on with a new start. */
  async function cutAt(point: string, work: (client: TransferClient) => Promise<unknown>): Promise<void> {
    await cuts.at(point, (api) => work(app.after({ api })));
    app = app.after(cuts.household);
  }
  const stored = (name: string) => readFile(join(cuts.household.home, name), 'utf8');

  it.each(sampled(['storage.receive.write', 'storage.receive.flush', 'files.upload.complete'], 2))(
    'while parts are joined, at %s, keeps them, and the repeated request succeeds',
    async (point) => {
      const [id, name] = [`cut-${point}`, `${point}.txt`];
      await app.parts(id, PARTS);
      await cutAt(point, (client) => client.finish(id, `/My%20files/${name}`));
      expect(await app.listed(id)).toEqual({ '1': 16, '2': 14 });
      await expectAllWell(cuts.household, 1);
      expect(await status(app.finish(id, `/My%20files/${name}`))).toBe(201);
      expect(await stored(name)).toBe(PARTS.join(''));
      await expectAllWell(cuts.household);
    },
  );

  it.each(sampled(['files.upload.named', 'storage.linked'], 1))(
    'after publishing, at %s, leaves the file intact, and the repeated request succeeds',
    async (point) => {
      const [id, name] = [`cut-${point}`, `${point}.txt`];
      await app.parts(id, PARTS);
      await cutAt(point, (client) => client.finish(id, `/My%20files/${name}`));
      expect(await stored(name)).toBe(PARTS.join(''));
      expect(await status(app.finish(id, `/My%20files/${name}`))).toBe(204);
      expect(await stored(name)).toBe(PARTS.join(''));
      await expectAllWell(cuts.household);
    },
  );

  it('while a part is sent again keeps the earlier one', async () => {
    await app.parts('again', PARTS);
    await cutAt('storage.receive.flush', (client) => client.part('again', 1, 'something else'));
    expect(await app.listed('again')).toEqual({ '1': 16, '2': 14 });
    expect(await status(app.finish('again', '/My%20files/again.txt'))).toBe(201);
    expect(await stored('again.txt')).toBe(PARTS.join(''));
    await expectAllWell(cuts.household);
  });
});

describe('a failing disk', () => {
  let failing: Failing;
  afterEach(() => failing.close());

  it('that is full while parts are joined keeps them', async () => {
    failing = await openFailing('files.upload.complete=enospc');
    const { household, api } = failing;
    let app = new TransferClient(await davClient(api));
    await app.parts('full', PARTS);
    expect((await app.finish('full', '/My%20files/a.txt')).status).toBe(507);
    expect(await app.listed('full')).toEqual({ '1': 16, '2': 14 });
    expect(await areaOf(household, 'incoming')).toHaveLength(1);
    await failing.heal();
    app = app.after(household);
    expect((await app.finish('full', '/My%20files/a.txt')).status).toBe(201);
    await expectAllWell(household);
  });

  it('does not mix late parts with those being joined', async () => {
    failing = await openFailing('files.upload.complete=pause');
    const { household, api } = failing;
    const app = new TransferClient(await davClient(api));
    await app.parts('slow', PARTS);
    let late: Promise<{ status: number }>[] = [];
    const moved = await failing.whilePausedAt(
      'files.upload.complete',
      app.finish('slow', '/My%20files/a.txt'),
      async () => {
        late = [app.part('slow', 1, 'late'), app.finish('slow', '/My%20files/b.txt'), app.abort('slow')];
        // The transfer is there until its file is.
        expect(await app.listed('slow')).toEqual({ '1': 16, '2': 14 });
      },
    );
    expect(moved.status).toBe(201);
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await readFile(join(household.home, 'a.txt'), 'utf8')).toBe(PARTS.join(''));
    await expectAllWell(household);
  });
});
