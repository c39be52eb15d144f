import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import { albumSharesOf, shareAlbum, unshareAlbum } from '../../../albums/share-album.ts';
import { visibleAlbum } from '../../../albums/visible-albums.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { oneOf, text } from '../../../http/request/parameters.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { t } from '../../../messages/messages.ts';
import { ALBUM_ROLES } from '../../../shares/album-shares.ts';
import { recipientsFor } from '../../../sharing/recipients.ts';
import { formOf } from '../../shell/browser-session.ts';
import { sentenceOf } from '../actions.ts';
import { rootsFor } from '../context.ts';
import { showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import { recipientIn } from '../sharing/entered.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { albumSharePage } from './share-page.ts';

const requested = z.object({ album: text() });
const entered = requested.extend({
  do: oneOf(['share', 'change', 'stop']),
  role: oneOf(ALBUM_ROLES).default('view'),
});

/** The page of an album's people, and its forms; they use the services of albums/share. */
export function albumSharePages(asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });

  router.get(
    '/files/albums/share',
    asFiles(async (_request, response, pageRequest) => {
      const { album } = checkParameters(requested, pageRequest.query);
      await show(response, pageRequest, album, { done: doneText(pageRequest.query.done) });
    }),
  );

  router.post(
    '/files/albums/share',
    asFiles(async (request, response, pageRequest) => {
      const { parts, caller, links, isForScript } = pageRequest;
      const fields = await formOf(request, response, pageRequest.visitor);
      const { album, do: action, role } = checkParameters(entered, fields);
      try {
        const to = recipientIn(fields);
        if (action === 'stop') await unshareAlbum(parts.albumsContext, caller, album, to);
        else await shareAlbum(parts.albumsContext, caller, album, { ...to, role });
        const done = ({ share: 'shared', change: 'changed', stop: 'stopped' } as const)[action];
        if (isForScript) return await show(response, pageRequest, album, { done: doneText(done) });
        response.redirect(303, `${links.albumForm('share', album)}&done=${done}`);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await show(response, pageRequest, album, { values: action === 'share' ? fields : {}, problem: error });
      }
    }),
  );

  return router;
}

interface Shown {
  readonly values?: Readonly<Record<string, string>>;
  readonly problem?: ApiError | null;
  readonly done?: string | null;
}

async function show(
  response: Response,
  { parts, links, caller, visitor, isForScript }: PageRequest,
  name: string,
  { values = {}, problem = null, done = null }: Shown,
): Promise<void> {
  // The script shows the problem beside its field.
  if (problem !== null && isForScript) throw problem;
  const album = await visibleAlbum(parts.albumsContext, caller, name, 'albums/shares');
  const isOwn = album.reach.role === 'owner';
  const [roots, shares, recipients] = await Promise.all([
    rootsFor(parts, caller),
    albumSharesOf(parts.albumsContext, caller, name),
    isOwn ? recipientsFor(parts.sharing, caller.account) : [],
  ]);
  const main = albumSharePage({
    action: links.albumForm('share'),
    back: links.album(name),
    formToken: visitor.formToken,
    ...{ album, shares, values, done },
    recipients: recipients.filter(({ kind }) => kind !== 'guest'),
    problem: problem && sentenceOf(problem),
  });
  const title = t('sharing.heading', { name: bidiIsolate(album.title) });
  const head = parts.assets.load('share');
  const page = { title, at: '/PHOTOS', roots, main, head, status: problem?.status ?? 200 };
  await showFiles(parts, response, visitor, links, page, isForScript);
}

const DONE = ['shared', 'changed', 'stopped'] as const;

function doneText(done: unknown): string | null {
  const name = DONE.find((one) => one === done);
  return name === undefined ? null : t(`albums.done.${name}`);
}
