// Rows of a long list, requested in blocks.

import { isRecord } from '../../lib/requests.ts';
import { request, textIn } from '../requests.ts';
import type { Item } from './item.ts';

/** Rows per request of items only. */
export const MAX_ITEMS = 2_000;

interface BlockRow {
  readonly item: Item;
  /** Null if only items were requested. */
  readonly html: string | null;
}

export interface Block {
  /** The index of the first row. */
  readonly start: number;
  /** Rows of the whole list. */
  readonly total: number;
  readonly rows: readonly BlockRow[];
}

/** @param address of the list's rows @param size how many @throws RequestError */
export function requestBlock(address: URL, start: number, size: number): Promise<Block> {
  return fetchBlock(address, { start: String(start), limit: String(size) });
}

/** The block with an entry; the first one if the entry is not in the list. @throws RequestError */
export function requestBlockAround(address: URL, path: string, size: number): Promise<Block> {
  return fetchBlock(address, { around: path, limit: String(size) });
}

/** Many rows, without their HTML. @throws RequestError */
export function requestItems(address: URL, start: number): Promise<Block> {
  return fetchBlock(address, { rows: 'items', start: String(start), limit: String(MAX_ITEMS) });
}

async function fetchBlock(address: URL, parameters: Readonly<Record<string, string>>): Promise<Block> {
  const wanted = new URL(address);
  for (const [name, value] of Object.entries(parameters)) wanted.searchParams.set(name, value);
  const { start, total, rows } = (await request('GET', wanted.href)).data;
  return {
    start: Number(start),
    total: Number(total),
    rows: Array.isArray(rows) ? rows.filter(isRecord).map(rowIn) : [],
  };
}

function rowIn(row: Readonly<Record<string, unknown>>): BlockRow {
  const { isDir, isStarred, isClosed, isText, cannot, parts, html } = row;
  return {
    item: {
      path: textIn(row, 'path'),
      name: textIn(row, 'name'),
      isDir: isDir === true,
      isStarred: isStarred === true,
      isClosed: isClosed === true,
      isText: isText === true,
      cannot: Array.isArray(cannot) ? cannot.map(String) : [],
      parts: Array.isArray(parts) ? parts : [],
    },
    html: typeof html === 'string' ? html : null,
  };
}
