import express, { type Router } from 'express';
import { z } from 'zod';
import { requirePermission } from '../../accounts/permissions/require-permission.ts';
import { MAX_IMAGE } from '../../accounts/pictures.ts';
import { accountSeenBy } from '../../files/locks/lock-holder.ts';
import { ApiError } from '../../http/errors.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { integer } from '../../http/request/parameters.ts';
import { actorOf } from '../../lib/events.ts';
import { t } from '../../messages/messages.ts';
import { pictureFailure } from '../../people/picture-failure.ts';
import { fileFormOf, visitorOf } from '../shell/browser-session.ts';
import { forSignedIn, originOf, queryOf, type ShowSignIn, type SignedIn } from '../shell/page-context.ts';
import type { AccountPagesParts } from './context.ts';

/** Of another person: the number of the account. */
const shownPicture = z.object({ of: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional() });

/** The picture of the signed-in person, on the account page, and of those they may know of. */
export function accountPicture(
  parts: AccountPagesParts,
  showSignIn: ShowSignIn,
  showProblem: (response: express.Response, visitor: SignedIn, problem: string, status: number) => void,
): Router {
  const { basePath, sessions, pictures, events } = parts;
  const router = express.Router({ caseSensitive: true });

  router.get('/account/picture', async (request, response) => {
    const { session } = await visitorOf(sessions, request, response);
    const { of } = checkParameters(shownPicture, queryOf(request));
    const reader = session?.account ?? null;
    // Alike for those who have none, do not exist, or are not to be known.
    const shown = reader === null || of === undefined ? reader : await accountSeenBy(parts.files, reader, of);
    const picture = shown === null ? null : await pictures.read(shown.id);
    if (picture === null) throw new ApiError('not_found', t('api.pictures.none'));
    // The address contains its hash: another picture has another address.
    response.setHeader('Cache-Control', 'private, max-age=86400');
    response.type('image/jpeg').send(picture.content);
  });

  router.post(
    '/account/picture',
    forSignedIn(parts, showSignIn, async (request, response, visitor) => {
      const { account } = visitor.session;
      requirePermission(account, 'edit_profile');
      const done = await pictures.takeTurn();
      try {
        const { fields, file } = await fileFormOf(request, response, visitor, MAX_IMAGE);
        if (fields.remove === '1') await pictures.remove(account.id);
        // A browser sends an empty file when none was chosen.
        else if (file === null || file.length === 0)
          return showProblem(response, visitor, t('profile.picture.none'), 422);
        else await pictures.set(account.id, file);
        events.emit('picture.changed', { actor: actorOf(originOf(request), account) });
        response.redirect(303, `${basePath}/account/?done=picture`);
      } catch (error) {
        const failure = pictureFailure(error);
        if (!(failure instanceof ApiError) || failure.code === 'permission_denied') throw failure;
        showProblem(response, visitor, failure.message, failure.status);
      } finally {
        done();
      }
    }),
  );

  return router;
}
