import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { flag, oneOf, virtualPath } from '../../../http/request/parameters.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { LINE_ENDINGS, MAX_EDITED } from '../../../lib/text/edited-text.ts';
import { t } from '../../../messages/messages.ts';
import { longFormOf } from '../../shell/browser-session.ts';
import { abilitiesIn, actionsFor } from '../abilities.ts';
import { sentenceOf } from '../actions.ts';
import { findItem, listFolder, orNotThere, rootsFor } from '../context.ts';
import { rootOf, showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { type EditedFile, editorMain, type NotSaved } from './page.ts';
import { saveCopy, saveText, textToEdit } from './save-text.ts';

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

/** The page that edits a text. What was typed is never lost: whatever refuses it, the form is shown again with it. */
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
      const edited = { text, etag, form: { ending, hasMark: mark } };
      try {
        let saved = `/${path.join('/')}`;
        if (fields.do === 'copy') saved = await saveCopy(parts, caller, path, edited);
        else await saveText(parts, caller, path, edited);
        response.redirect(303, `${links.item(saved)}&done=saved`);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await showAgain(response, pageRequest, path, edited, error);
      }
    }),
  );

  return router;
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
  const found = await orNotThere(findItem(parts, caller, at, null));
  const folder = await orNotThere(listFolder(parts, caller, path.slice(0, -1), { limit: 1 }));
  const isChanged = error.code === 'precondition_failed';
  const present = typeof error.details?.etag === 'string' ? error.details.etag : '';
  const isGone = isChanged && present === '';
  const notSaved = {
    message: isGone ? t('editing.gone') : isChanged ? t('editing.changed') : sentenceOf(error),
    canCopy: folder?.meta.perms.upload === true,
    isForced: isChanged,
  };
  // Saved again, it replaces what is there now, which becomes a version.
  const again = isChanged ? { ...edited, etag: present } : edited;
  const name = found?.row.name ?? path.at(-1) ?? '';
  await show(response, pageRequest, { path, name, edited: again, notSaved, status: error.status });
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
