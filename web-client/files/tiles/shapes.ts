// What tiles show, as the classes say it that the server sets (`pictures.ts`).

import { FOLDER, PLAIN, type Shape } from './layout.ts';

/** The digits of the width to height of a picture. */
export function pictureShape(classes: string): Shape {
  const [, ...digits] = /\br(\d) r-(\d) r--(\d) r---(\d)/.exec(classes) ?? [];
  return digits.length === 0 ? PLAIN : Number(digits.join('')) / 1_000;
}

/** The same of entries of a folder. */
export const entryShape = (classes: string): Shape => (/\bdir\b/.test(classes) ? FOLDER : pictureShape(classes));
