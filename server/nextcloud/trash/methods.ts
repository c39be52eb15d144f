import type { TrashCall } from './call.ts';
import { empty, erase } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { listInside } from './list-inside.ts';
import { restore } from './restore.ts';

export type TrashMethod = (call: TrashCall) => Promise<void>;

/** What each method does with the trash, with an item in it, and with what is in a deleted folder. */
export const OF_TRASH = { PROPFIND: list, DELETE: empty } as const satisfies Record<string, TrashMethod>;
export const OF_ITEM = {
  PROPFIND: list,
  GET: get,
  HEAD: get,
  MOVE: restore,
  DELETE: erase,
} as const satisfies Record<string, TrashMethod>;
export const INSIDE = { PROPFIND: listInside, GET: get, HEAD: get } as const satisfies Record<string, TrashMethod>;
