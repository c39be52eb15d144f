import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import { rightsOf } from '../../../access/caller.ts';
import { folderPermissions } from '../../../access/rights.ts';
import { ALBUM_ORDERS } from '../../../albums/albums.ts';
import { addAlbum, deleteAlbum, editAlbum, showFolder } from '../../../albums/change-albums.ts';
import type { Lost } from '../../../albums/deleted-albums.ts';
import { unshareAlbum } from '../../../albums/share-album.ts';
import { undoDelete } from '../../../albums/undo-delete.ts';
import { type VisibleAlbum, visibleAlbum } from '../../../albums/visible-albums.ts';
import { type WholeAlbum, wholeAlbum } from '../../../albums/whole-album.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { integer, oneOf, text, virtualPath } from '../../../http/request/parameters.ts';
import { sendJson } from '../../../http/response/envelope.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import { formOf } from '../../shell/browser-session.ts';
import { field, hidden, problemNote } from '../../shell/form-fields.ts';
import { sprite } from '../../shell/icons.ts';
import { type Abilities, abilitiesIn, type ItemAction } from '../abilities.ts';
import { sentenceOf } from '../actions.ts';
import type { FilesLinks } from '../addresses.ts';
import { rootsFor } from '../context.ts';
import { showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import { ROW_FORMS, replyShown, startOfBlock } from '../listing/row-blocks.ts';
import { reshareOf } from '../listing/shared-roots.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { albumCover, albumRows, coveredAlbums, indexInAlbum } from './list.ts';
import { albumMain, albumsMain, shownInAlbum } from './page.ts';

/** Photos sent with the page: enough for the screen, the rest follows. */
const FIRST_ROWS = 40;
const MAX_ROWS = 2_000;
const PHOTOS = '/PHOTOS';

const requested = z.object({
  album: text(),
  start: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).default(0),
  limit: integer({ min: 1, max: MAX_ROWS }).default(FIRST_ROWS),
  /** Whether only rows are requested, for the script. */
  rows: oneOf(ROW_FORMS).optional(),
  /** With `rows`: the path of an item that is to be among them. */
  around: virtualPath().optional(),
});

/** How many of something could not return. */
const count = () => integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).default(0);

const FORMS = ['add', 'edit', 'delete', 'leave'] as const;
type FormName = (typeof FORMS)[number];
const changes = z.object({ title: text().optional(), order: oneOf(ALBUM_ORDERS).optional() });
const DONE = ['added', 'edited', 'deleted', 'left', 'shown', 'hidden'] as const;

/** The pages of albums, and the forms that change them. */
export function albumPages(asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });

  router.get(
    '/files/albums',
    asFiles(async (_request, response, pageRequest) => {
      const albums = await coveredAlbums(pageRequest.parts, pageRequest.caller);
      await show(response, pageRequest, t('albums.heading'), (page) => albumsMain({ ...page, albums }));
    }),
  );

  router.get(
    '/files/album',
    asFiles(async (_request, response, pageRequest) => {
      const { parts, caller, query, visitor } = pageRequest;
      const { album: name, start, limit, rows: form, around } = checkParameters(requested, query);
      const album = wholeAlbum(await visibleAlbum(parts.albumsContext, caller, name));
      if (form !== undefined && pageRequest.isForScript) {
        const index = around === undefined ? 0 : await indexInAlbum(parts, caller, album, `/${around.join('/')}`);
        const first = around === undefined ? start : startOfBlock(index, limit);
        return sendAlbumRows(response, pageRequest, album, { start: first, limit, form });
      }
      const rows = await albumRows(parts, caller, album, { start, limit });
      const cover = await albumCover(parts, caller, album);
      const mayLeave = album.reach.role !== 'owner';
      await show(response, pageRequest, album.title, (page) =>
        albumMain({
          ...{ ...page, album, rows, cover, start, account: caller.account, formToken: visitor.formToken, mayLeave },
          abilities: albumAbilities(pageRequest, album),
          now: parts.clock.now(),
          icons: `${parts.basePath}/icons`,
        }),
      );
    }),
  );

  router.get(
    '/files/albums/:form',
    asFiles(async (request, response, pageRequest) => {
      const name = formName(request.params.form);
      const album = name === 'add' ? null : await namedAlbum(pageRequest, pageRequest.query);
      await showForm(response, pageRequest, name, album, { title: album?.title ?? '', problem: null });
    }),
  );

  // One switch of the page of a folder.
  router.post(
    '/files/albums/folder',
    asFiles(async (request, response, pageRequest) => {
      const { parts, caller, links } = pageRequest;
      const fields = await formOf(request, response, pageRequest.visitor);
      const { path, album } = checkParameters(z.object({ path: virtualPath(), album: text().optional() }), fields);
      if (album === undefined) await showFolder(parts.albumsContext, caller, path);
      else await deleteAlbum(parts.albumsContext, caller, album);
      answer(response, pageRequest, links.item(`/${path.join('/')}`));
    }),
  );

  // The deletion of an album that was deleted a moment ago.
  router.post(
    '/files/albums/undo',
    asFiles(async (request, response, pageRequest) => {
      const { parts, caller, links, isForScript } = pageRequest;
      const fields = await formOf(request, response, pageRequest.visitor);
      const { album } = checkParameters(z.object({ album: text() }), fields);
      const lost = await undoDelete(parts.albumsContext, caller, album);
      if (isForScript) return sendData(response, { to: links.album(album), text: restoredText(lost) });
      response.redirect(303, links.album(album, { ...lost, done: 'restored' }));
    }),
  );

  router.post(
    '/files/albums/:form',
    asFiles(async (request, response, pageRequest) => {
      const { parts, caller, links, isForScript } = pageRequest;
      const name = formName(request.params.form);
      const fields = await formOf(request, response, pageRequest.visitor);
      const album = name === 'add' ? null : await namedAlbum(pageRequest, fields);
      try {
        if (album === null) {
          const { uuid } = await addAlbum(parts.albumsContext, caller, fields.title ?? '');
          answer(response, pageRequest, links.album(uuid, { done: 'added' }), uuid);
        } else if (name === 'edit') {
          await editAlbum(parts.albumsContext, caller, album.album, checkParameters(changes, fields));
          answer(response, pageRequest, links.album(album.album, { done: 'edited' }));
        } else if (name === 'leave') {
          await unshareAlbum(parts.albumsContext, caller, album.album, { uid: caller.account.id });
          answer(response, pageRequest, `${links.albums}?done=left`);
        } else {
          await deleteAlbum(parts.albumsContext, caller, album.album);
          const done = album.kind === 'folder' ? 'hidden' : 'deleted';
          // The script says it in a message with a button.
          if (isForScript) sendData(response, { to: links.albums, [done]: album.album });
          else response.redirect(303, `${links.albums}?done=${done}&undo=${album.album}`);
        }
      } catch (error) {
        if (!(error instanceof ApiError) || isForScript) throw error;
        await showForm(response, pageRequest, name, album, { title: fields.title ?? '', problem: error });
      }
    }),
  );

  return router;
}

/** @param album the uuid of a new one */
function answer(response: Response, { isForScript }: PageRequest, to: string, album?: string): void {
  if (isForScript) sendData(response, { to, ...(album === undefined ? {} : { album }) });
  else response.redirect(303, to);
}

function sendData(response: Response, data: Readonly<Record<string, string>>): void {
  sendJson(response, 200, { success: true, error: false, data });
}

function formName(given: unknown): FormName {
  const name = FORMS.find((one) => one === given);
  if (name === undefined) throw new ApiError('not_found', t('api.requests.unknownAddress'));
  return name;
}

function namedAlbum({ parts, caller }: PageRequest, fields: Readonly<Record<string, unknown>>): Promise<VisibleAlbum> {
  return visibleAlbum(parts.albumsContext, caller, checkParameters(z.object({ album: text() }), fields).album);
}

/** What may be done in an album: what the account may do in its home, where shares may allow less, and with a list. */
function albumAbilities({ caller }: PageRequest, { kind, reach }: VisibleAlbum): Abilities {
  const perms = { ...folderPermissions(rightsOf(caller), null), upload: false };
  const abilities = abilitiesIn(caller.account, { path: '', perms }, reshareOf(caller, null));
  const isOwn = reach.role === 'owner';
  const ofAlbum: ItemAction[] = [];
  if (isOwn && kind !== 'favourites') ofAlbum.push('albumCover');
  if (reach.role !== 'view' && kind === 'list') ofAlbum.push('albumRemove');
  return { ...abilities, items: new Set([...abilities.items, ...ofAlbum]) };
}

type Shown = Pick<Parameters<typeof albumsMain>[0], 'links' | 'photos' | 'assets' | 'done'>;

/** Some items of an album for the script, which keeps only those in sight in the document. */
async function sendAlbumRows(
  response: Response,
  pageRequest: PageRequest,
  album: WholeAlbum,
  { start, limit, form }: { readonly start: number; readonly limit: number; readonly form: (typeof ROW_FORMS)[number] },
): Promise<void> {
  const { parts, caller, links } = pageRequest;
  const shown = shownInAlbum({
    rows: await albumRows(parts, caller, album, { start, limit }),
    ...{ links, account: caller.account, abilities: albumAbilities(pageRequest, album) },
    now: parts.clock.now(),
    icons: `${parts.basePath}/icons`,
  });
  replyShown(response, caller.account.id, shown, { start, total: album.members.length, form });
}

async function show(
  response: Response,
  { parts, links, visitor, caller, query, isForScript }: PageRequest,
  title: string,
  main: (page: Shown) => Html,
  status = 200,
): Promise<void> {
  const roots = await rootsFor(parts, caller);
  const photos = roots.find(({ path }) => path === PHOTOS) ?? { name: t('photoBackup.folder'), path: PHOTOS };
  const page = {
    ...{ title, at: PHOTOS, roots, status, isCompressed: true },
    main: main({ links, photos, assets: parts.assets, done: doneNote(links, visitor.formToken, query) }),
  };
  await showFiles(parts, response, visitor, links, page, isForScript);
}

async function showForm(
  response: Response,
  pageRequest: PageRequest,
  name: FormName,
  album: VisibleAlbum | null,
  { title, problem }: { title: string; problem: ApiError | null },
): Promise<void> {
  const { links, visitor } = pageRequest;
  const heading =
    name === 'delete' || name === 'leave'
      ? t(`albums.${name}.heading`, { title: bidiIsolate(title) })
      : t(`albums.${name}.heading`);
  const back = album === null ? links.albums : links.album(album.album);
  const sentence = problem === null ? null : sentenceOf(problem);
  const inner =
    name === 'delete' || name === 'leave'
      ? html`${problemNote(sentence)}<p>${t(`albums.${name}.lead`)}</p>${name === 'delete' ? html`<p>${t('albums.delete.undo')}</p>` : html``}`
      : field({
          name: 'title',
          label: t('albums.title'),
          value: title,
          problem: sentence ?? undefined,
          hasFocus: true,
        });
  const main = html`<div class="sheet"><section class="form"><h1>${heading}</h1><form class="act" method="post" action="${links.albumForm(name)}">${hidden({ form_token: visitor.formToken, ...(album === null ? {} : { album: album.album }) })}
${inner}<div class="actions"><a class="button cancel" href="${back}">${t('files.forms.cancel')}</a><button class="primary${name === 'delete' || name === 'leave' ? ' grave' : ''}">${t(`albums.${name}.submit`)}</button></div></form></section></div>`;
  await show(response, pageRequest, heading, () => main, problem?.status ?? 200);
}

const lostQuery = z.object({ items: count(), shares: count(), links: count() });

function restoredText(lost: Lost): string {
  return t('albums.restored', { ...lost });
}

/** The result of the last action, for browsers without JavaScript. */
function doneNote(links: FilesLinks, formToken: string, query: PageRequest['query']): Html {
  const name = DONE.find((one) => one === query.done);
  const isRestored = query.done === 'restored';
  if (name === undefined && !isRestored) return html``;
  const said = name === undefined ? restoredText(checkParameters(lostQuery, query)) : t(`albums.done.${name}`);
  const undo =
    typeof query.undo !== 'string'
      ? html``
      : html`<form method="post" action="${links.albumForm('undo')}">${hidden({ form_token: formToken, album: query.undo })}<button>${t('albums.undo')}</button></form>`;
  return html`<div class="note good done" role="status">${sprite('check')}<span>${said}</span>${undo}</div>`;
}
