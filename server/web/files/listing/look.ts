import type { ORDERS, SORTS } from '../../../listing/arrange.ts';

export const VIEWS = ['list', 'gallery'] as const;

/** How a folder is shown. */
export interface Look {
  readonly view: (typeof VIEWS)[number];
  readonly sort: (typeof SORTS)[number];
  readonly order: (typeof ORDERS)[number];
}

/** Photos are shown as a gallery and everything else as a list, unless chosen otherwise. */
export function defaultLook(path: string): Look {
  return { view: path === '/PHOTOS' ? 'gallery' : 'list', sort: 'name', order: 'asc' };
}
