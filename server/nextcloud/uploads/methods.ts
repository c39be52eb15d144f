import { abort, deletePart } from './abort.ts';
import type { METHODS_OF, UploadsKind } from './address.ts';
import { begin } from './begin.ts';
import type { UploadsCall } from './call.ts';
import { finish } from './finish.ts';
import { list } from './list.ts';
import { putPart } from './put-part.ts';

export type UploadsMethod = (call: UploadsCall) => Promise<void>;

/** What each method does. */
export const METHODS: {
  readonly [Kind in UploadsKind]: Readonly<Record<(typeof METHODS_OF)[Kind][number], UploadsMethod>>;
} = {
  transfer: { MKCOL: begin, PROPFIND: list, DELETE: abort },
  part: { PUT: putPart, DELETE: deletePart },
  whole: { MOVE: finish },
};
