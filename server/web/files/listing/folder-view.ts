import type { Request, Response } from 'express';
import { z } from 'zod';
import { grantPath, HOME_BASE, LINKS_BASE, SHARED_BASE } from '../../../access/access.ts';
import { ALBUMS_TREE } from '../../../access/album-grants.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { flag, integer, oneOf, text, virtualPath } from '../../../http/request/parameters.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { ORDERS, SORTS } from '../../../listing/arrange.ts';
import { t } from '../../../messages/messages.ts';
import { markGrantsSeen, newGrantsOf } from '../../../sharing/new-shares.ts';
import { goneLinks } from '../../../weblinks/gone-links.ts';
import { linksToSeveral } from '../../../weblinks/link-to-several.ts';
import { sprite } from '../../shell/icons.ts';
import { abilitiesIn, throughAlbum } from '../abilities.ts';
import { folderAlbumSwitch } from '../albums/folder-switch.ts';
import { findInAlbum } from '../albums/list.ts';
import { commentsSection, type TypedComment } from '../comments/section.ts';
import {
  breadcrumbsOf,
  type FilesPagesParts,
  findItem,
  listFolder,
  orNotThere,
  type Row,
  rootsFor,
  segmentsOf,
} from '../context.ts';
import { itemMain } from '../details/item-page.ts';
import { noPreview, preview, typeIcon } from '../details/preview.ts';
import { detailsSection, type TypedDetails } from '../details/section.ts';
import { rootOf, showFiles } from '../frame.ts';
import { ownPhotos } from '../photos/list.ts';
import { PHOTOS, photosPage } from '../photos/view.ts';
import { partsAt } from '../photos/whole.ts';
import { goneList, severalList } from '../weblinks/several-list.ts';
import { folderMain, type SharedByPerson } from './folder-page.ts';
import { VIEWS } from './look.ts';
import type { PageRequest } from './page-request.ts';
import { blockAround, ROW_FORMS, sendRows } from './row-blocks.ts';

/** Entries sent with the page: enough for the screen, the rest follows. */
const FIRST_ROWS = 30;
const MAX_ROWS = 2_000;

const folderQuery = z.object({
  path: virtualPath(),
  view: oneOf(VIEWS).optional(),
  sort: oneOf(SORTS).optional(),
  order: oneOf(ORDERS).optional(),
  start: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).default(0),
  limit: integer({ min: 1, max: MAX_ROWS }).default(FIRST_ROWS),
  /** Whether the look was chosen, and is to be remembered. */
  keep: flag().default(false),
  /** Whether only rows are requested, for the script. */
  rows: oneOf(ROW_FORMS).optional(),
  /** With `rows`: the path of an entry that is to be among them. */
  around: virtualPath().optional(),
  /** Of photos: the month, such as `2024-03`; `start` counts from its beginning. */
  month: text().optional(),
});

/** A folder or list. Without a path: the top-level entries. */
export async function folderPage(response: Response, pageRequest: PageRequest): Promise<void> {
  const { parts, links, visitor, caller, query } = pageRequest;
  const roots = await rootsFor(parts, caller);
  if (query.path === undefined || query.path === '/' || query.path === '/ROOT') {
    return response.redirect(303, links.folder(roots[0]?.path ?? '/ROOT/SHARED'));
  }
  const { path, start, limit, keep, rows: form, around, month, ...requested } = checkParameters(folderQuery, query);
  // Addresses of searches in a folder, as they were before.
  if (typeof query.q === 'string') {
    return response.redirect(303, links.search({ words: query.q, inside: `/${path.join('/')}` }));
  }
  const folder = `/${path.join('/')}`;
  const { account } = caller;
  const place = { path: folder, item: await itemAt(parts, caller, path) };
  const chosen = await parts.looks.of(account.id, place);
  const look = {
    view: requested.view ?? chosen.view,
    sort: requested.sort ?? chosen.sort,
    order: requested.order ?? chosen.order,
  };
  const photos = folder === PHOTOS && look.view === 'gallery' && !keep ? await ownPhotos(parts, caller) : null;
  if (photos !== null) {
    const range = { start, limit: query.limit === undefined ? null : limit, month, form, around };
    return photosPage(response, pageRequest, { photos, roots, look, range, done: doneNote(query.done) });
  }
  if (form !== undefined && pageRequest.isForScript) {
    const first =
      around === undefined ? start : await blockAround(pageRequest, path, look, `/${around.join('/')}`, limit);
    return sendRows(response, pageRequest, path, look, { start: first, limit, form });
  }
  const listed = await listFolder(parts, caller, path, { sort: look.sort, order: look.order, start, limit });
  // After the folder was found, so that nothing is stored for others.
  if (keep && !isFromElsewhere(response.req)) {
    await parts.looks.remember(account.id, place, look);
    return response.redirect(303, links.folder(folder));
  }
  const { meta } = listed;
  const breadcrumbs = await breadcrumbsOf(parts, caller, roots, meta);
  const news = meta.path === SHARED_BASE ? await newGrantsOf(parts.sharing, account) : [];
  const newPaths = new Set(news.map(grantPath));
  const main = folderMain({
    links,
    listed,
    isNew: (row) => newPaths.has(row.path),
    breadcrumbs,
    look,
    abilities: abilitiesIn(account, meta, listed.reshare),
    account,
    now: parts.clock.now(),
    icons: `${parts.basePath}/icons`,
    start,
    done: doneNote(query.done),
    trashDays: parts.trashDays(),
    shares: meta.path === SHARED_BASE ? await sharesOf(parts, caller, listed.rows) : [],
    otherLinks: meta.path === LINKS_BASE ? await otherLinks(pageRequest) : null,
    readOnly: account.permissions.readonly,
  });
  if (!isFromElsewhere(response.req)) await markGrantsSeen(parts.sharing, account, news);
  const title = breadcrumbs.at(-1)?.name ?? meta.folderName;
  const at = rootOf(roots, meta.path);
  await showFiles(
    parts,
    response,
    visitor,
    links,
    { title, at, roots, main, isCompressed: true },
    pageRequest.isForScript,
  );
}

/** Where a folder is; null for a list, and for what the caller does not reach, which is refused later. */
async function itemAt({ files }: FilesPagesParts, caller: AccountCaller, path: readonly string[]) {
  const target = await orNotThere(files.access.resolve(caller, path));
  return target?.kind === 'item' ? target.item : null;
}

/** The links of the caller that are not of one item; null for none. */
async function otherLinks({ parts, links, caller, visitor }: PageRequest): Promise<Html | null> {
  const several = await linksToSeveral(parts.weblinks, caller);
  const gone = await goneLinks(parts.weblinks, caller);
  if (several.length + gone.length === 0) return null;
  return html`${severalList(links, several, parts.clock.now())}${goneList(links, gone, visitor.formToken)}`;
}

/** People whose shares are shown at once, and how many of each. */
const SHOWN_PEOPLE = 30;
const SHOWN_SHARES = 12;

/** What people share, by person. One whose last share has just ended is left out. */
async function sharesOf(
  parts: FilesPagesParts,
  caller: AccountCaller,
  listed: readonly Row[],
): Promise<SharedByPerson[]> {
  const people = listed.filter(({ personId }) => personId !== null);
  // With more people, only their names fit on the page.
  if (people.length > SHOWN_PEOPLE) return [];
  const shares: SharedByPerson[] = [];
  for (const person of people) {
    const found = await orNotThere(listFolder(parts, caller, segmentsOf(person.path), { limit: SHOWN_SHARES }));
    if (found !== null) shares.push({ person, rows: found.rows, total: found.total });
  }
  return shares;
}

/** Whether another site leads here, whose links decide nothing. */
function isFromElsewhere({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

const itemQuery = z.object({ path: virtualPath(), from: virtualPath().optional() });

/** What was entered in one of the page's forms, and why it was rejected. */
interface Refused {
  readonly typed?: TypedComment;
  readonly details?: TypedDetails | null;
  readonly status?: number;
}

/** The page of a file or folder that contains the form. @param from the list the page was opened from */
export function pageOf(path: readonly string[], from: readonly string[] | undefined) {
  const at = `/${path.join('/')}`;
  const list = from === undefined ? null : `/${from.join('/')}`;
  return { at, list, query: { path: at, ...(list === null ? {} : { from: list }) } };
}

/** The page of one file or folder. */
export async function itemPage(
  response: Response,
  pageRequest: PageRequest,
  { typed, details: refused = null, status = 200 }: Refused = {},
): Promise<void> {
  const { parts, links, visitor, caller, query } = pageRequest;
  const given = checkParameters(itemQuery, query);
  const path = `/${given.path.join('/')}`;
  const from = given.from === undefined ? null : `/${given.from.join('/')}`;
  const found = path.startsWith(`/${ALBUMS_TREE}/`)
    ? findInAlbum(parts, caller, path)
    : findItem(parts, caller, path, from);
  const [roots, { row: alone, list }] = await Promise.all([rootsFor(parts, caller), found]);
  const row = from === PHOTOS ? { ...alone, parts: await partsAt(parts, caller, given.path) } : alone;
  // A top-level entry has no item page of its own.
  if (roots.some((root) => root.path === row.path)) return response.redirect(303, links.folder(row.path));
  // What the share of the item allows, in whatever list it was opened.
  const place = list.meta.path === '/TRASH' ? list.meta.path : path;
  const all = abilitiesIn(caller.account, { ...list.meta, path: place }, list.reshare);
  const abilities = row.rights?.isOfAlbum === true ? { ...all, items: throughAlbum(all.items) } : all;
  const shown = row.isDir
    ? typeIcon(parts, row)
    : abilities.items.has('download')
      ? await preview(parts, caller, row, links)
      : noPreview(parts, row, t('item.preview.denied'));
  const breadcrumbs = await breadcrumbsOf(parts, caller, roots, list.meta);
  const icons = `${parts.basePath}/icons`;
  const now = parts.clock.now();
  const done = doneNote(query.done);
  const details = row.deleted === null ? await detailsSection(pageRequest, path, from, refused) : html``;
  const comments = await commentsSection(pageRequest, path, from, typed);
  const sender = await senderOf(pageRequest, row, abilities.items.has('link'));
  const main = itemMain({
    links,
    row,
    list,
    breadcrumbs,
    from,
    abilities,
    preview: shown,
    sender,
    now,
    icons,
    assets: parts.assets,
    done,
    details,
    comments,
    albumSwitch: row.isDir && row.deleted === null ? await folderAlbumSwitch(pageRequest, row) : html``,
  });
  const at = rootOf(roots, segmentsOf(list.meta.path).length === 0 ? path : list.meta.path);
  const page = { title: row.name, at, roots, main, status, isCompressed: true };
  await showFiles(parts, response, visitor, links, page, pageRequest.isForScript);
}

/** The visitor who sent it through a link: for the file's owner, if they may make such links themselves. */
async function senderOf(
  { parts }: Pick<PageRequest, 'parts'>,
  { uuid, path, isDir }: Row,
  mayLink: boolean,
): Promise<string | null> {
  if (uuid === null || isDir || !(mayLink || path.startsWith(`${HOME_BASE}/`))) return null;
  return parts.weblinks.sent.senderOf(uuid);
}

const DONE = [
  ...(['created', 'renamed', 'moved', 'copied', 'deleted', 'restored', 'erased', 'emptied', 'starred'] as const),
  ...(['unstarred', 'uploaded', 'numbered', 'commented', 'uncommented'] as const),
  ...(['tagged', 'intoAlbum', 'shared', 'rated', 'labelled', 'filled', 'saved'] as const),
];

/** The result of the last action, for browsers without JavaScript. */
function doneNote(done: unknown): Html {
  const name = DONE.find((one) => one === done);
  if (name === undefined) return html``;
  return html`<div class="note good done" role="status">${sprite('check')}<span>${t(`files.done.${name}`)}</span></div>`;
}
