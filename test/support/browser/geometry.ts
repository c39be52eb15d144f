import type { Locator } from 'playwright-core';

/** Where an element is in the window, in CSS pixels. */
export interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** @throws Error if the element is not displayed */
export async function edgesOf(element: Locator): Promise<Edges> {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${element} is not displayed`);
  const { x: left, y: top, width, height } = box;
  return { left, top, right: left + width, bottom: top + height, width, height };
}

/** Whether some of the text is cut off at the edges of the element. */
export const isCutOff = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight);

/** The computed value of a property. */
export const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);
