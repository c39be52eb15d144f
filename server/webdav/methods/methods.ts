import type { DavCall } from '../context.ts';
import { copy, move } from './copy-move.ts';
import { remove } from './delete.ts';
import { get } from './get.ts';
import { lock, unlock } from './lock.ts';
import { mkcol } from './mkcol.ts';
import type { DavMethod } from './names.ts';
import { propfind } from './propfind.ts';
import { proppatch } from './proppatch.ts';
import { put } from './put.ts';

/** What each method does. */
export const METHODS: Readonly<Record<DavMethod, (call: DavCall) => Promise<void>>> = {
  GET: get,
  HEAD: get,
  PUT: put,
  DELETE: remove,
  PROPFIND: propfind,
  PROPPATCH: proppatch,
  MKCOL: mkcol,
  COPY: copy,
  MOVE: move,
  LOCK: lock,
  UNLOCK: unlock,
};
