import type { VersionsCall } from './call.ts';
import { erase } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { restore } from './restore.ts';

export type VersionsMethod = (call: VersionsCall) => Promise<void>;

/** What each method does with the versions of a file, and with one of them. */
export const OF_ALL = { PROPFIND: list } as const satisfies Record<string, VersionsMethod>;
export const OF_ONE = {
  PROPFIND: list,
  GET: get,
  HEAD: get,
  MOVE: restore,
  COPY: restore,
  DELETE: erase,
} as const satisfies Record<string, VersionsMethod>;
