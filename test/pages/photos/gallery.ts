import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sidewaysScroll } from '../../support/browser/page.ts';

interface Tile {
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
  /** Of the picture, from its attributes. */
  readonly natural: number;
}

/** Width to height, within which a tile has the proportions of its picture; others are shown whole in a tile of these. */
const NARROWEST = 0.4;
const WIDEST = 4;

function tilesOf(page: Page): Promise<Tile[]> {
  return page.evaluate(`[...document.querySelectorAll('.fitted .photo')].map((image) => {
    const { top, bottom, width, height } = image.closest('.fitted').getBoundingClientRect();
    return { top, bottom, width, height, natural: image.getAttribute('width') / image.getAttribute('height') };
  })`);
}

/** Checks that no picture is cut off, that the tiles of a row are equally high, and that rows do not leave the window. */
export async function checkProportions(page: Page, what: string): Promise<void> {
  const tiles = await tilesOf(page);
  expect(tiles.length, what).toBeGreaterThan(20);
  for (const { width, height, natural } of tiles) {
    const wanted = Math.min(WIDEST, Math.max(NARROWEST, natural));
    expect(Math.abs(width - height * wanted), `${what}: ${width} × ${height} for ${natural}`).toBeLessThan(1.5);
  }
  const fits = await page.evaluate(
    "[...new Set([...document.querySelectorAll('.fitted .photo')].map((image) => getComputedStyle(image).objectFit))]",
  );
  expect(fits, what).toEqual(['contain']);
  for (const { top, bottom } of tiles) {
    const inRow = tiles.filter((other) => Math.abs(other.top - top) < 1);
    expect(Math.max(...inRow.map((other) => Math.abs(other.bottom - bottom))), what).toBeLessThan(1.5);
  }
  expect(await sidewaysScroll(page), what).toBe(0);
}
