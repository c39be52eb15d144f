import express, { type Request, type Response, type Router } from 'express';
import { sessionStillOpen } from '../../accounts/sign-in/proof-validity.ts';
import { actorOf } from '../../lib/events.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { recoveryCodes, setUpSteps } from '../auth/two-step-page.ts';
import { hidden } from '../shell/form-fields.ts';
import {
  formForSignedIn,
  forSignedIn,
  originOf,
  type ShowSignIn,
  type SignedIn,
  triedBy,
} from '../shell/page-context.ts';
import { qrCode } from '../shell/qr-code.ts';
import { type AccountPagesParts, notProvedProblem, showAccountPage, statusOf } from './context.ts';
import { actions, confirmFields } from './forms.ts';

type Problems = Readonly<Record<string, string>>;

/** Two-step sign-in on the account page: set up, new recovery codes, off. */
export function twoStepPages(parts: AccountPagesParts, showSignIn: ShowSignIn): Router {
  const { basePath, twoStep, signIn, events, database } = parts;
  const base = `${basePath}/account/`;
  const router = express.Router({ caseSensitive: true });
  const show = (response: Response, visitor: SignedIn, inner: Html, status = 200) =>
    showAccountPage(parts, response, visitor, { title: t('twoStep.heading'), at: 'two-step', inner, status });

  async function setUpForm(visitor: SignedIn, problems: Problems, key = twoStep.newKey()): Promise<Html> {
    const qr = await qrCode(
      twoStep.address(key, visitor.session.account.username, parts.householdName()),
      t('twoStep.setUp.qrCode'),
    );
    return html`<h1>${t('twoStep.heading')}</h1><p class="lead">${t('twoStep.setUp.lead')}</p><section class="form">
<form method="post" action="${base}two-step/enable">${hidden({ form_token: visitor.formToken, key })}
${setUpSteps({ key, qr, problem: problems.otp ?? null })}
${confirmFields({ visitor, problems })}${actions(base, t('twoStep.setUp.submit'))}</form></section>`;
  }

  function manageForm(visitor: SignedIn, problems: Problems): Html {
    const canTurnOff = !visitor.session.account.twoStepRequired;
    return html`<h1>${t('twoStep.heading')}</h1><p class="lead">${canTurnOff ? t('twoStep.manage.lead') : t('twoStep.manage.leadRequired')}</p><section class="form">
<form method="post" action="${base}two-step/change">${hidden({ form_token: visitor.formToken })}
${confirmFields({ visitor, problems })}
<div class="actions"><a class="button" href="${base}">${t('account.cancel')}</a>
${canTurnOff ? html`<button class="danger" name="change" value="off">${t('twoStep.manage.off')}</button>` : html``}
<button class="primary" name="change" value="codes">${t('twoStep.manage.codes')}</button></div></form></section>
${canTurnOff ? html`` : html`<p class="help">${t('twoStep.manage.required')}</p>`}`;
  }

  function showCodes(response: Response, visitor: SignedIn, codes: readonly string[]): void {
    show(
      response,
      visitor,
      html`<h1>${t('twoStep.codes.heading')}</h1><section class="form">${recoveryCodes(codes)}
<div class="actions"><a class="button primary" href="${base}?done=twoStep">${t('twoStep.codes.done')}</a></div></section>`,
    );
  }

  const confirmed = async (request: Request, visitor: SignedIn, { password = '', otp = '' }: Record<string, string>) =>
    signIn.confirm(visitor.session.account, { password, otp, ...triedBy(request) });

  router.get(
    '/account/two-step',
    forSignedIn(parts, showSignIn, async (_request, response, visitor) => {
      const isOn = visitor.session.account.twoStepKey !== null;
      show(response, visitor, isOn ? manageForm(visitor, {}) : await setUpForm(visitor, {}));
    }),
  );

  router.post(
    '/account/two-step/enable',
    formForSignedIn(parts, showSignIn, async (request, response, visitor, fields) => {
      const { account } = visitor.session;
      if (account.twoStepKey !== null) return response.redirect(303, `${base}two-step`);
      const { key = '', otp = '' } = fields;
      const usable = /^[A-Z2-7]{32}$/.test(key) ? key : twoStep.newKey();
      const proved = await confirmed(request, visitor, fields);
      if (proved.outcome !== 'confirmed') {
        return show(response, visitor, await setUpForm(visitor, notProvedProblem(proved), usable), statusOf(proved));
      }
      const codes = await twoStep.enable(account.id, usable, otp, sessionStillOpen(visitor.session.id));
      if (codes === null) {
        const problems = { otp: t('twoStep.setUp.wrong') };
        return show(response, visitor, await setUpForm(visitor, problems, usable), 422);
      }
      events.emit('two-step.changed', { actor: actorOf(originOf(request), account), enabled: true });
      showCodes(response, visitor, codes);
    }),
  );

  router.post(
    '/account/two-step/change',
    formForSignedIn(parts, showSignIn, async (request, response, visitor, fields) => {
      const { account } = visitor.session;
      if (account.twoStepKey === null) return response.redirect(303, `${base}two-step`);
      const proved = await confirmed(request, visitor, fields);
      if (proved.outcome !== 'confirmed') {
        return show(response, visitor, manageForm(visitor, notProvedProblem(proved)), statusOf(proved));
      }
      const actor = actorOf(originOf(request), account);
      const stillProved = sessionStillOpen(visitor.session.id);
      const turnsOff = fields.change === 'off' && !account.twoStepRequired;
      const codes = await database.write(async (tx) => {
        if (!(await stillProved(tx))) return null;
        if (!turnsOff) return twoStep.renewRecoveryCodes(account.id, tx);
        await twoStep.disable(account.id, tx);
        return [];
      });
      // The session ended on another device meanwhile: the page asks to sign in.
      if (codes === null) return response.redirect(303, `${base}two-step`);
      if (turnsOff) {
        events.emit('two-step.changed', { actor, enabled: false });
        return response.redirect(303, `${base}?done=twoStepOff`);
      }
      events.emit('recovery-codes.renewed', { actor });
      showCodes(response, visitor, codes);
    }),
  );

  return router;
}
