import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import type { AccountCaller } from '../../../access/caller.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { flag, oneOf, virtualPath } from '../../../http/request/parameters.ts';
import { sendJson } from '../../../http/response/envelope.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { LINE_ENDINGS, MAX_EDITED } from '../../../lib/text/edited-text.ts';
import { t } from '../../../messages/messages.ts';
import { longFormOf } from '../../shell/browser-session.ts';
import { abilitiesIn, actionsFor } from '../abilities.ts';
import { sentenceOf } from '../actions.ts';
import { type FilesPagesParts, findItem, listFolder, rootsFor } from '../context.ts';
import { rootOf, showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { type EditedFile, editorMain, type NotSaved } from './page.ts';
import { hasText, saveCopy, saveText, tagAt, textToEdit } from './save-text.ts';

/** Bytes of the form: a letter of two bytes or more takes three times as many, and some may be added. */
const MAX_FORM = 4 * MAX_EDITED;

const requested = z.object({ path: virtualPath() });
const sent = requested.extend({
  text: z.string(),
  etag: z.string(),
  ending: oneOf(LINE_ENDINGS),
  mark: flag().default(false),
  do: oneOf(['save', 'copy'] as const),
});

/**
 * The page that edits a text. Whatever keeps a text from being saved, its form is shown again with what was typed. The script keeps
 * the page also while nobody is signed in, or nothing answers.
 */
export function editPages(asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });

  router.get(
    '/files/edit',
    asFiles(async (_request, response, pageRequest) => {
      const { parts, caller } = pageRequest;
      const { path } = checkParameters(requested, pageRequest.query);
      const { row, list } = await findItem(parts, caller, `/${path.join('/')}`, null);
      const abilities = abilitiesIn(caller.account, list.meta, list.reshare);
      if (row.cannot?.includes('edit') === true)
        throw new ApiError('locked', row.lock ?? t('files.errors.noPermission'));
      if (!abilities.items.has('edit')) throw new ApiError('permission_denied', t('files.errors.noPermission'));
      const edited = actionsFor(abilities, row).includes('edit') ? await textToEdit(parts, caller, path) : null;
      await show(response, pageRequest, { path, name: row.name, edited });
    }),
  );

  router.post(
    '/files/edit',
    asFiles(async (request, response, pageRequest) => {
      const { parts, caller, links, visitor } = pageRequest;
      const fields = checkParameters(sent, await longFormOf(request, response, visitor, MAX_FORM));
      const { path, text, etag, ending, mark } = fields;
      const edited = { text, etag, format: { ending, hasMark: mark } };
      try {
        let saved = `/${path.join('/')}`;
        if (fields.do === 'copy') saved = await saveCopy(parts, caller, path, edited);
        else await saveOnce(parts, caller, path, edited);
        const to = `${links.item(saved)}&done=saved`;
        if (pageRequest.isForScript) sendJson(response, 200, { success: true, error: false, data: { to } });
        else response.redirect(303, to);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await showAgain(response, pageRequest, path, edited, error);
      }
    }),
  );

  return router;
}

/** Saves a text. If that has just succeeded, and only the reply was lost, nothing has changed in between. */
async function saveOnce(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
  edited: EditedFile,
): Promise<void> {
  try {
    await saveText(parts, caller, path, edited);
  } catch (error) {
    const isChanged = error instanceof ApiError && error.code === 'precondition_failed';
    if (!isChanged || (await unlessRefused(hasText(parts, caller, path, edited))) !== true) throw error;
  }
}

async function showAgain(
  response: Response,
  pageRequest: PageRequest,
  path: readonly string[],
  edited: EditedFile,
  error: ApiError,
): Promise<void> {
  const { parts, caller } = pageRequest;
  const at = `/${path.join('/')}`;
  const found = await unlessRefused(findItem(parts, caller, at, null));
  const folder = await unlessRefused(listFolder(parts, caller, path.slice(0, -1), { limit: 1 }));
  const isChanged = error.code === 'precondition_failed';
  const isGone = isChanged && found === null;
  const present = isGone ? '' : await presentTag(parts, caller, path, error);
  const notSaved = {
    message: isGone ? t('editing.gone') : isChanged ? t('editing.changed') : sentenceOf(error),
    canCopy: folder?.meta.perms.upload === true,
    isForced: isChanged,
  };
  // Saved again, it replaces what is there now, which becomes a version.
  const again = isChanged ? { ...edited, etag: present } : edited;
  const name = found?.row.name ?? path.at(-1) ?? '';
  const status = pageRequest.isForScript ? 200 : error.status;
  await show(response, pageRequest, { path, name, edited: again, notSaved, status });
}

/** The tag that the file has now, so that saving again replaces what is there. */
async function presentTag(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
  { details }: ApiError,
): Promise<string> {
  if (typeof details?.etag === 'string') return details.etag;
  // It was unknown when the condition was checked: another program has just replaced the file.
  return (await unlessRefused(tagAt(parts, caller, path))) ?? '';
}

/** Null where what is asked for cannot be reached: the text that was typed is more important. */
async function unlessRefused<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

async function show(
  response: Response,
  { parts, caller, links, visitor, isForScript }: PageRequest,
  page: {
    readonly path: readonly string[];
    readonly name: string;
    readonly edited: EditedFile | null;
    readonly notSaved?: NotSaved;
    readonly status?: number;
  },
): Promise<void> {
  const { name, edited, notSaved = null, status = 200 } = page;
  const path = `/${page.path.join('/')}`;
  const roots = await rootsFor(parts, caller);
  const { assets } = parts;
  const main = editorMain({ links, path, name, edited, notSaved, formToken: visitor.formToken, assets });
  const title = t('editing.heading', { name: bidiIsolate(name) });
  await showFiles(
    parts,
    response,
    visitor,
    links,
    { title, at: rootOf(roots, path), roots, main, status },
    isForScript,
  );
}
