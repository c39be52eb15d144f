import type { TrashCall } from './call.ts';
import { empty, erase } from './delete.ts';
import { list } from './list.ts';
import { restore } from './restore.ts';

export type TrashMethod = (call: TrashCall) => Promise<void>;

/** What each method does with the trash, and with an item in it. */
export const OF_TRASH = { PROPFIND: list, DELETE: empty } as const satisfies Record<string, TrashMethod>;
export const OF_ITEM = { PROPFIND: list, MOVE: restore, DELETE: erase } as const satisfies Record<string, TrashMethod>;
