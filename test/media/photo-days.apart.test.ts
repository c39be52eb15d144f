import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { photosFrom, photoTimeline } from '../../dist/server/catalogue/photos.js';
import { type EmbeddedHousehold, openEmbeddedHousehold } from '../support/households/embedded-household.ts';
import { HOME_ID } from '../support/households/index-household.ts';
import { fixture } from '../workers/embedded-support.ts';

const zone = process.env.TZ;
let house: EmbeddedHousehold;

beforeAll(async () => {
  // East of everything, so that the evening of most places is the next day there.
  process.env.TZ = 'Pacific/Auckland';
  house = await openEmbeddedHousehold();
});
afterAll(async () => {
  await house.close();
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

it('a photo belongs to the day by its own clock, or else to the day of the household', async () => {
  const files = ['pictures/camera.jpg', 'pictures/telephone.jpg', 'pictures/palette.png', 'video/rotated.mov'];
  const fixtures = await Promise.all(
    files.map(async (name) => [name.split('/').at(-1) ?? '', await fixture(name)] as const),
  );
  for (const [name, content] of fixtures) await house.write(name, content);
  await utimes(join(house.root, 'palette.png'), new Date(), new Date('2024-12-31T12:00:00Z'));
  await house.look();
  house.start();
  await house.settled();
  const found = await photosFrom(house.database, HOME_ID, await photoTimeline(house.database, HOME_ID), 0, 10);
  const clocks = Object.fromEntries(
    found.map(({ item, local }) => [item.name, new Date(local).toISOString().slice(0, 19)]),
  );
  const written = async (name: string) => {
    const fields = await house.fields(name);
    return fields['image.taken'] ?? fields['video.taken'] ?? '';
  };
  // With an offset, and without one.
  expect(await written('camera.jpg')).toBe('2024-05-06T07:08:09+02:00');
  expect(clocks['camera.jpg']).toBe('2024-05-06T07:08:09');
  const phone = await written('telephone.jpg');
  expect(clocks['telephone.jpg']).toBe(phone.slice(0, 19));
  // Films say UTC, wherever they were taken.
  const film = await written('rotated.mov');
  expect(film).toMatch(/Z$/);
  const local = new Date(film);
  expect(clocks['rotated.mov']).toBe(
    new Date(local.getTime() - local.getTimezoneOffset() * 60_000).toISOString().slice(0, 19),
  );
  // Without a date: when its file was changed. There, it was the next year already.
  expect(clocks['palette.png']).toBe('2025-01-01T01:00:00');
});
