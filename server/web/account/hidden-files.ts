import express, { type Response, type Router } from 'express';
import { accountRights, permit } from '../../access/rights.ts';
import type { StorageUse } from '../../catalogue/storage-use.ts';
import { deleteHiddenFiles } from '../../files/trash/delete-hidden.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { humanSize } from '../../listing/human.ts';
import { t } from '../../messages/messages.ts';
import { hidden } from '../shell/form-fields.ts';
import { formForSignedIn, forSignedIn, type ShowSignIn, type SignedIn } from '../shell/page-context.ts';
import { type AccountPage, type AccountPagesParts, showAccountPage } from './context.ts';
import { actions } from './forms.ts';
import { callerOf } from './programs/create-confirmed.ts';

/** Removes the files that operating systems store for themselves: asks first, then goes on in steps. */
export function hiddenFilesPages(parts: AccountPagesParts, showSignIn: ShowSignIn): Router {
  const base = `${parts.basePath}/account/`;
  const router = express.Router({ caseSensitive: true });

  async function show(
    response: Response,
    visitor: SignedIn,
    content: (hidden: StorageUse['hidden']) => Html,
    more: Pick<AccountPage, 'script'> = {},
  ): Promise<void> {
    const use = await parts.storageUse(visitor.session.account.homeId);
    const inner = html`<h1>${t('account.hidden.heading')}</h1>${content(use?.hidden ?? { files: 0, bytes: 0 })}`;
    showAccountPage(parts, response, visitor, { title: t('account.hidden.heading'), at: '', inner, ...more });
  }

  router.get(
    '/account/hidden-files',
    forSignedIn(parts, showSignIn, async (_request, response, visitor) => {
      permit(accountRights(visitor.session.account), 'files/delete');
      await show(response, visitor, ({ files, bytes }) =>
        files === 0
          ? html`<p class="lead">${t('account.hidden.none')}</p>`
          : html`<p class="lead">${t('account.hidden.lead', { files, size: humanSize(bytes) })}</p><section class="form">
<form method="post" action="${base}hidden-files">${hidden({ form_token: visitor.formToken })}
<p>${t('account.hidden.help')}</p>${actions(base, t('account.hidden.submit'))}</form></section>`,
      );
    }),
  );

  router.post(
    '/account/hidden-files',
    formForSignedIn(parts, showSignIn, async (request, response, visitor, fields) => {
      const done = wholeNumber(fields.deleted);
      const step = await deleteHiddenFiles(parts.files, callerOf(request, visitor), wholeNumber(fields.after));
      const deleted = done + step.deleted;
      if (step.next !== null) {
        const values = { form_token: visitor.formToken, after: String(step.next), deleted: String(deleted) };
        await show(
          response,
          visitor,
          ({ files }) => html`<p class="lead" role="status">${t('account.hidden.left', { files, deleted })}</p>
<form method="post" action="${base}hidden-files" data-continue>${hidden(values)}
${actions(base, t('account.hidden.continue'))}</form>`,
          { script: 'continue' },
        );
        return;
      }
      const use = await parts.storageUse(visitor.session.account.homeId);
      const isKept = use !== null && use.hidden.files > 0;
      response.redirect(303, `${base}?done=${isKept ? 'hiddenFilesKept' : 'hiddenFiles'}#storage`);
    }),
  );
  return router;
}

/** A number of the form, which may be anything. */
function wholeNumber(text = ''): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
