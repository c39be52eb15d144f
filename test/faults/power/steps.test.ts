import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../../dist/server/lib/clock.js';
import { itInFull, oneOfEachKind } from '../../support/forms.ts';
import { areaOf, expectAllWell, type Failing, openFailing, PowerCuts } from '../support.ts';
import { casesOf, cutIn, failIn } from './run-scenario.ts';
import { newWorld, type Scenario, scenarios, snapshot } from './scenarios.ts';

/** One of each kind; every case of every operation is in steps.long.ts. */
const CUTS = casesOf([
  ['upload of a new file', 'storage.receive.write'],
  ['upload of a new file', 'storage.receive.flush'],
  ['upload of a new file', 'storage.publish.found-folder'],
  ['upload of a new file', 'storage.linked'],
  ['upload of a new file', 'storage.publish.named'],
  ['overwrite', 'storage.publish.chosen'],
  ['overwrite', 'storage.publish.kept-old'],
  ['overwrite', 'storage.publish.named'],
  ['move over a file', 'storage.move.chosen'],
  ['move over a file', 'storage.move.kept-old'],
  ['move over a file', 'storage.move.named'],
  ['MOVE over a file, which keeps its identity', 'storage.move.kept-old'],
  ['MOVE over a file, which keeps its identity', 'storage.move.named'],
  ['MOVE over a file, which keeps its identity, with versions off', 'storage.move.named'],
  ['PUT over a file', 'storage.publish.named'],
  ['PUT over a content of the same program, which is not kept', 'files.forget.erase'],
  ['save of a document by way of another name', 'files.complete-save.renamed'],
  ['restore from the trash', 'storage.put-back'],
  ['restore from the trash', 'storage.put-back.named'],
  ['restore of a file from the trash', 'storage.put-back'],
  ['restore of a file from the trash', 'storage.linked'],
  ['restore of a file from the trash', 'storage.put-back.named'],
  ['delete', 'storage.take-out'],
  ['delete', 'storage.taken-out'],
  ['delete for good', 'storage.take-out'],
  ['delete for good', 'storage.taken-out'],
  ['last piece of an upload over a file', 'storage.publish.named'],
  ['copy of a file', 'storage.linked'],
  ['copy over a file', 'storage.publish.kept-old'],
  ['copy of a folder', 'files.copy.flush-folders'],
  ['copy of a folder', 'storage.put-back.named'],
  ['restore of a version', 'storage.publish.named'],
  ['delete of a version', 'files.forget.erase'],
  ['overwrite beyond the number of versions', 'files.forget.erase'],
  ['overwrite with versions off', 'storage.publish.named'],
  ['move over a file with versions off', 'storage.move.named'],
  ['delete for good', 'files.erase.versions'],
  ['delete from the trash', 'files.erase.content'],
  ['extract', 'files.extract.unpacked'],
  ['extract', 'storage.put-back.named'],
  ['extract of a single file', 'storage.linked'],
  ['zip', 'files.zip.made'],
]);

const FAILURES = casesOf([
  ['overwrite', 'storage.publish.named'],
  ['overwrite with versions off', 'storage.publish.kept-old'],
  ['move over a file', 'storage.move.kept-old'],
  ['move over a file with versions off', 'storage.move.named'],
  ['rename', 'storage.linked'],
  ['copy of a folder', 'storage.copy.flush'],
  ['restore of a version', 'storage.copy.flush'],
  ['delete', 'storage.taken-out'],
  ['restore from the trash', 'storage.put-back.named'],
  ['extract', 'files.extract.flushed'],
  ['zip', 'storage.receive.flush'],
]);

let cuts: PowerCuts;
beforeAll(async () => {
  cuts = await PowerCuts.open();
});
afterAll(() => cuts.close());

describe('a power cut', () => {
  it.each(
    oneOfEachKind(CUTS, ({ point }) => point).map((one) => [one.scenario.name, one.point, one.outcome, one] as const),
  )('during: %s, at %s, leaves the state %s it', (_name, _point, _outcome, one) => cutIn(cuts, one));

  it('while the name is free, on a disk without hard links, restores the old content', async () => {
    for (const one of casesOf([['move over a file with versions off', 'storage.move.kept-old']])) {
      await cutIn(cuts, { ...one, more: 'storage.link=eperm' });
    }
  });
});

describe('a disk that is full', () => {
  it.each(
    oneOfEachKind(FAILURES, ({ point }) => point).map(
      (one) => [one.scenario.name, one.point, one.outcome, one] as const,
    ),
  )('during: %s, at %s, leaves the state %s it', (_name, _point, _outcome, one) => failIn(cuts, one, 'enospc'));

  itInFull('and has no hard links restores the old content', async () => {
    await cuts.failing('storage.move.kept-old=enospc;storage.link=eperm', async (api) => {
      const [one] = casesOf([['move over a file', 'storage.move.kept-old']]);
      if (one === undefined) throw new Error('no case');
      const world = await newWorld(cuts.household, api, one.scenario, 'no links');
      const before = await snapshot(world, api);
      expect((await one.scenario.run(world, api)).status).toBe(507);
      expect(await snapshot(world, api)).toEqual(before);
    });
    await expectAllWell(cuts.household);
  });
});

describe('expiry by age', () => {
  let failing: Failing;

  const scenarioNamed = (name: string): Scenario => {
    const found = scenarios.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no scenario ${name}`);
    return found;
  };

  itInFull.each(['files.forget.erase', 'files.forget.erased'])(
    'of versions is finished after a failure at %s',
    async (point) => {
      failing = await openFailing(`${point}=eio`);
      const { household } = failing;
      let api = failing.api;
      const world = await newWorld(household, api, scenarioNamed('overwrite'), 'aged');
      await household.control('settings.update', { versionDays: 5 });
      household.clock.advance(10 * DAY);
      await household.larder.maintenance();
      expect(household.logged()).toContain('a maintenance task failed');
      expect(failing.hasReached(point)).toBe(true);
      expect((await household.control('doctor')).problems).toEqual([]);
      await failing.heal();
      api = await household.signIn();
      expect((await snapshot(world, api)).files).toEqual({ 'doc.txt': { version: 3, content: 'three', old: {} } });
      expect(await areaOf(household, 'versions')).toEqual([]);
      await expectAllWell(household);
      await failing.close();
    },
  );

  it.each(['files.erase.content', 'files.erase.versions', 'files.erase.done'])(
    'in the trash is finished after a failure at %s',
    async (point) => {
      failing = await openFailing(`${point}=eio`);
      const { household } = failing;
      let api = failing.api;
      const world = await newWorld(household, api, scenarioNamed('delete from the trash'), 'aged');
      expect(await areaOf(household, 'trash')).toHaveLength(1);
      household.clock.advance(31 * DAY);
      await household.larder.maintenance();
      expect(household.logged()).toContain('a maintenance task failed');
      expect(failing.hasReached(point)).toBe(true);
      expect((await household.control('doctor')).problems).toEqual([]);
      await failing.heal();
      api = await household.signIn();
      expect(await snapshot(world, api)).toMatchObject({ files: { to: 'folder' }, trash: [] });
      expect([...(await areaOf(household, 'trash')), ...(await areaOf(household, 'versions'))]).toEqual([]);
      await expectAllWell(household);
      await failing.close();
    },
  );

  it('continues if another task fails', async () => {
    failing = await openFailing('files.forget.erase=eio');
    const { household, api } = failing;
    await newWorld(household, api, scenarioNamed('overwrite'), 'aged');
    await api.put({ path: '/ROOT/HOME/a', totalSize: 10, startByte: 0 }, 'abc');
    await household.control('settings.update', { versionDays: 5 });
    household.clock.advance(10 * DAY);
    await household.larder.maintenance();
    expect(failing.hasReached('files.forget.erase')).toBe(true);
    expect(await areaOf(household, 'incoming')).toEqual([]);
    await failing.heal();
    await expectAllWell(household);
    await failing.close();
  });

  it('of chunked uploads is finished after a failure between the row and the content', async () => {
    failing = await openFailing('files.upload.expired=eio');
    const { household, api } = failing;
    await api.put({ path: '/ROOT/HOME/a', totalSize: 10, startByte: 0 }, 'abc');
    household.clock.advance(8 * DAY);
    await household.larder.maintenance();
    expect(household.logged()).toContain('a maintenance task failed');
    await failing.heal();
    await expectAllWell(household);
    await failing.close();
  });
});
