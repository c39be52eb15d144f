import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe, looksAt, sidewaysScroll, takePicture } from './page.ts';

const SIZES = {
  usual: { width: 1280, height: 832 },
  small: { width: 720, height: 560 },
  phone: { width: 390, height: 844 },
} as const;

/**
 * Takes screenshots of a panel page in light and dark, and checks for problems.
 * @param sizes a window of the desktop application is never narrower than `small`
 */
export async function inspectPanel(
  page: Page,
  name: string,
  sizes: readonly (keyof typeof SIZES)[] = ['usual', 'small', 'phone'],
): Promise<void> {
  await page.mouse.move(0, 0);
  try {
    for (const [size, colorScheme] of looksAt(sizes)) {
      await page.setViewportSize(SIZES[size]);
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `${name}-${size}-${colorScheme}`);
      expect(await axe(page), `${name} ${size} ${colorScheme}`).toEqual([]);
    }
    for (const size of sizes) {
      await page.setViewportSize(SIZES[size]);
      // Elements that the page measures itself change their width a frame later.
      await expect.poll(() => sidewaysScroll(page), { message: `${name} ${size} scrolls sideways` }).toBe(0);
    }
  } finally {
    // Other tests go on with the page, also after a finding.
    await page.setViewportSize(SIZES.usual);
    await page.emulateMedia({ colorScheme: 'light' });
  }
}
