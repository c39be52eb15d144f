import { describe, expect, it } from 'vitest';
import { labelsIn } from '../../../dist/server/web/files/map/labels.js';
import { areaOf, viewAround, viewOf } from '../../../dist/server/web/files/map/view.js';

const at = (longitude: number, latitude = 0) => ({
  ...{ west: longitude, east: longitude, south: latitude, north: latitude },
});

describe('the view around photos', () => {
  it('is on both sides of the 180th meridian if they are', () => {
    const view = viewAround([at(178, -17), at(-179, -18), at(179.5, -16)]);
    expect(view.zoom).toBeGreaterThan(4);
    const { west, east } = areaOf(view);
    expect(west).toBeLessThan(178);
    expect(east).toBeGreaterThan(181);
    expect(view.longitude).toBeCloseTo(179.5);
  });

  it('goes from New Zealand to Hawaii across the Pacific', () => {
    const { longitude, zoom } = viewAround([at(174, -37), at(-157, 21)]);
    expect(Math.abs(longitude)).toBeGreaterThan(160);
    expect(zoom).toBeGreaterThan(1);
  });

  it('does not turn around the world for photos that are near each other', () => {
    const { longitude, zoom } = viewAround([at(11.5, 48), at(2.2, 41)]);
    expect(longitude).toBeCloseTo(6.85);
    expect(zoom).toBeGreaterThan(3);
  });

  it('is the whole world for photos all around it, and without any', () => {
    const world = { latitude: 0, longitude: 0, zoom: 0 };
    expect(viewAround([at(-170), at(-60), at(60), at(170)])).toEqual(world);
    expect(viewAround([])).toEqual(world);
  });

  it.each([
    [540.5, -179.5],
    [-190, 170],
    [180, 180],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
  ])('has the longitude %s as %s', (longitude, normal) => {
    expect(viewOf(0, longitude, 4).longitude).toBeCloseTo(normal);
  });
});

describe('the names on the map', () => {
  const namesAt = (latitude: number, longitude: number, zoom: number) =>
    labelsIn(areaOf(viewOf(latitude, longitude, zoom)), zoom, []).map(({ name }) => name);

  it('are those of continents in the world', () => {
    expect(namesAt(0, 0, 0).sort()).toEqual(['Africa', 'Asia', 'Europe', 'North America', 'Oceania', 'South America']);
  });

  it('are those of countries in a continent, and more of them nearer', () => {
    expect(namesAt(48, 10, 2)).toEqual(expect.arrayContaining(['France', 'Türkiye']));
    expect(namesAt(48, 10, 4)).toEqual(expect.arrayContaining(['Germany', 'Austria', 'Switzerland']));
  });

  it('are in views across the 180th meridian, on either side', () => {
    for (const longitude of [179, -179]) expect(namesAt(-17, longitude, 3)).toContain('Fiji');
  });

  it('are left out where the picture of a place is', () => {
    const world = areaOf(viewOf(0, 0, 0));
    const names = labelsIn(world, 0, [{ latitude: 48, longitude: 11 }]).map(({ name }) => name);
    expect(names).toContain('Africa');
    expect(names).not.toContain('Europe');
  });

  it('are within the view, with room between them', () => {
    for (const zoom of [0, 1, 2, 3, 4, 5])
      for (const longitude of [-180, -100, 10, 100, 175]) {
        const area = areaOf(viewOf(30, longitude, zoom));
        const [width, height] = [area.east - area.west, area.north - area.south];
        const labels = labelsIn(area, zoom, []);
        for (const [index, one] of labels.entries()) {
          expect(one.longitude).toBeGreaterThan(area.west);
          expect(one.longitude).toBeLessThan(area.east);
          for (const other of labels.slice(index + 1)) {
            const isApart =
              Math.abs(one.longitude - other.longitude) >= width * 0.16 ||
              Math.abs(one.latitude - other.latitude) >= height * 0.1;
            expect(isApart, `${one.name} and ${other.name}`).toBe(true);
          }
        }
      }
  });
});
