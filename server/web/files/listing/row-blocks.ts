import type { Response } from 'express';
import type { AccountCaller } from '../../../access/caller.ts';
import { sendJson } from '../../../http/response/envelope.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { abilitiesIn, actionsWithout, isEditable } from '../abilities.ts';
import type { FilesLinks } from '../addresses.ts';
import { type FilesPagesParts, indexIn, type Listed, listFolder } from '../context.ts';
import { partsList } from '../photos/whole.ts';
import { shownRows } from './folder-page.ts';
import type { Look } from './look.ts';
import { itemRow, type Rows } from './rows.ts';

/** Who asks, and what replies use. */
interface Request {
  readonly parts: FilesPagesParts;
  readonly links: FilesLinks;
  readonly caller: AccountCaller;
}

/** With their HTML, or only what actions need. */
export const ROW_FORMS = ['html', 'items'] as const;

/** Which rows of a list: the index of the first, and how many. */
interface Block {
  readonly start: number;
  readonly limit: number;
  readonly form: (typeof ROW_FORMS)[number];
}

/**
 * The start of the block that contains an entry; the first block if it is not in the list.
 * @param limit entries of a block
 * @throws ApiError
 */
export async function blockAround(
  { parts, caller }: Pick<Request, 'parts' | 'caller'>,
  path: readonly string[],
  look: Look,
  entry: string,
  limit: number,
): Promise<number> {
  return startOfBlock(await indexIn(parts, caller, path, entry, look), limit);
}

/** The start of the block of an index; of the first one if it is -1. @param limit entries of a block */
export function startOfBlock(index: number, limit: number): number {
  return Math.floor(Math.max(0, index) / limit) * limit;
}

/**
 * Sends a part of a long list to the script, which keeps only the rows in sight in the document: each row by itself, and how many
 * there are in all. Rows are the same as on the page, with the same rights.
 * @throws ApiError like the page
 */
export async function sendRows(
  response: Response,
  { parts, links, caller }: Request,
  path: readonly string[],
  look: Look,
  { start, limit, form }: Block,
): Promise<void> {
  const listed = await listFolder(parts, caller, path, { sort: look.sort, order: look.order, start, limit });
  replyRows(response, { parts, links, caller }, listed, look, { start, form });
}

/** Sends listed entries to the script. */
export function replyRows(
  response: Response,
  { parts, links, caller }: Request,
  listed: Listed,
  look: Look,
  { start, form }: Pick<Block, 'start' | 'form'>,
): void {
  const { account } = caller;
  const shown = shownRows(
    {
      links,
      listed,
      look,
      abilities: abilitiesIn(account, listed.meta, listed.reshare),
      account,
      now: parts.clock.now(),
      icons: `${parts.basePath}/icons`,
      start,
      trashDays: parts.trashDays(),
      readOnly: account.permissions.readonly,
    },
    listed.rows,
  );
  replyShown(response, account.id, shown, { start, total: listed.total, form });
}

/** Sends entries to the script, as they are shown. */
export function replyShown(
  response: Response,
  account: number,
  shown: Rows,
  { start, total, form }: Pick<Block, 'start' | 'form'> & { readonly total: number },
): void {
  const rows = shown.rows.map((row) => ({
    path: row.path,
    name: bidiIsolate(row.name),
    isDir: row.isDir,
    isStarred: row.isStarred,
    isClosed: !row.canOpen,
    isText: isEditable(row),
    cannot: actionsWithout(shown.account, shown.abilities, row),
    ...(row.parts.length === 0 ? {} : { parts: partsList(row.parts) }),
    ...(form === 'html' ? { html: itemRow(row, shown).text } : {}),
  }));
  response.setHeader('Vary', 'Accept');
  sendJson(response, 200, {
    success: true,
    error: false,
    data: { account, start, total, rows },
  });
}
