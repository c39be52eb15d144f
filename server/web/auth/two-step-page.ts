import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { field, hidden } from '../shell/form-fields.ts';
import type { StepForm } from './sign-in-page.ts';

/** The form to scan the code and type the first one. */
export function setUpCard({ key, qr, ...form }: StepForm & { key: string; qr: Html }): Html {
  const { action, formToken, next, pending, problem } = form;
  return html`<h1>${t('twoStep.setUp.heading')}</h1>
<p class="lead">${t('twoStep.setUp.required')}</p>
<form method="post" action="${action}">${hidden({ form_token: formToken, next, pending, key })}
${setUpSteps({ key, qr, problem })}
<div class="actions"><button class="primary">${t('twoStep.setUp.submit')}</button></div>
</form>`;
}

/** The steps that all set-up forms share. */
export function setUpSteps({ key, qr, problem }: { key: string; qr: Html; problem: string | null }): Html {
  return html`<ol class="steps"><li><p>${t('twoStep.setUp.scan')}</p>${qr}
<p class="help">${t('twoStep.setUp.byHand')}</p><p class="mono">${inGroups(key)}</p></li>
<li>${field({ name: 'otp', label: t('twoStep.setUp.code'), isCode: true, help: t('twoStep.setUp.codeHelp'), problem: problem ?? undefined })}</li></ol>`;
}

/** Ten codes, shown only once. */
export function recoveryCodesCard({
  codes,
  action,
  formToken,
  ...carried
}: {
  codes: readonly string[];
  action: string;
  formToken: string;
  next: string;
  pending: string;
}): Html {
  return html`<h1>${t('twoStep.codes.heading')}</h1>${recoveryCodes(codes)}
<form method="post" action="${action}">${hidden({ form_token: formToken, ...carried })}
<div class="actions"><button class="primary">${t('twoStep.codes.done')}</button></div></form>`;
}

export function recoveryCodes(codes: readonly string[]): Html {
  return html`<p>${t('twoStep.codes.lead')}</p>
<ul class="codes" id="codes" data-file="${t('twoStep.codes.file')}">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<div class="code-actions" hidden><button type="button" data-codes="copy" data-copied="${t('twoStep.codes.copied')}">${t('twoStep.codes.copy')}</button><button type="button" data-codes="save">${t('twoStep.codes.save')}</button><button type="button" data-codes="print">${t('twoStep.codes.print')}</button></div>
<p class="care-text">${t('twoStep.codes.once')}</p>`;
}

function inGroups(key: string): Html[] {
  return (key.match(/.{1,4}/g) ?? []).map((group) => html`<span>${group}&nbsp;</span>`);
}
