import express, { type Request, type Response, type Router } from 'express';
import { HOME_BASE } from '../../../access/access.ts';
import { actorOf } from '../../../lib/events.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t, tHtml } from '../../../messages/messages.ts';
import { AppPasswordProblem, planAppPassword } from '../../../people/app-passwords.ts';
import type { LoginFlow } from '../../../people/login-flows.ts';
import { avatar } from '../../shell/avatar.ts';
import { field, hidden } from '../../shell/form-fields.ts';
import { icon } from '../../shell/icons.ts';
import {
  formForSignedIn,
  forSignedIn,
  originOf,
  type ShowSignIn,
  type SignedIn,
  showCard,
} from '../../shell/page-context.ts';
import type { AccountPagesParts } from '../context.ts';
import { confirmFields } from '../forms.ts';
import { appName } from './app-name.ts';
import { callerOf, createConfirmed, isGuest } from './create-confirmed.ts';

/** The person's own files, as a path. */
const OWN_FILES = HOME_BASE.split('/').slice(1);

/** What was entered, and why it was rejected, by field. */
interface Entered {
  readonly label: string;
  readonly withShared: boolean;
  readonly mayShare: boolean;
  readonly problems: Readonly<Record<string, string>>;
}

/** The page on which a person lets an app connect that waits for it. The app gets an app password. */
export function connectPages(parts: AccountPagesParts, showSignIn: ShowSignIn): Router {
  const { basePath, appPasswordsContext, loginFlows } = parts;
  const { appPasswords } = appPasswordsContext;
  const router = express.Router({ caseSensitive: true });

  const show = (
    request: Request,
    response: Response,
    visitor: SignedIn,
    { secret, flow, status = 200, ...entered }: Entered & { secret: string; flow: LoginFlow; status?: number },
  ) => {
    const from = originOf(request).address ?? '';
    const card = connectCard({ basePath, visitor, secret, flow, from, entered, household: parts.householdName() });
    showCard(parts, request, response, { title: t('connect.title'), card, status });
  };

  const showEnded = (request: Request, response: Response) =>
    showCard(parts, request, response, { title: t('connect.ended.heading'), card: endedCard(), status: 410 });

  router.get(
    '/account/connect',
    forSignedIn(parts, showSignIn, async (request, response, visitor) => {
      const secret = new URLSearchParams(request.originalUrl.split('?')[1]).get('flow') ?? '';
      const flow = loginFlows.find(secret);
      if (flow === null || isGuest(visitor)) return showEnded(request, response);
      const label = appName(flow.device);
      show(request, response, visitor, { secret, flow, label, withShared: false, mayShare: false, problems: {} });
    }),
  );

  router.post(
    '/account/connect',
    formForSignedIn(parts, showSignIn, async (request, response, visitor, fields) => {
      const { flow: secret = '', label = '' } = fields;
      const withShared = fields.with_shared === '1';
      const mayShare = fields.may_share === '1';
      const flow = loginFlows.find(secret);
      if (flow === null || isGuest(visitor)) return showEnded(request, response);
      const { account } = visitor.session;
      const again = (problems: Readonly<Record<string, string>>, status = 422) =>
        show(request, response, visitor, { secret, flow, label, withShared, mayShare, problems, status });
      const folder = withShared || account.homeId === null ? null : OWN_FILES;
      const requested = { label, program: null, scopes: null, mayShare, folder, isReadOnly: false, expiresAt: null };
      const planned = await planAppPassword(appPasswordsContext, callerOf(request, visitor), requested).catch(
        (error) => {
          if (error instanceof AppPasswordProblem) return error;
          throw error;
        },
      );
      if (planned instanceof AppPasswordProblem) return again({ [planned.field]: planned.message });
      const made = await createConfirmed(parts, request, visitor, planned, fields);
      if ('problems' in made) return again(made.problems, made.status);
      if (!loginFlows.grant(secret, { username: account.username, password: made.password })) {
        await appPasswords.remove(account, made.id, actorOf(originOf(request), account));
        return showEnded(request, response);
      }
      const title = t('connect.done.heading', { label: planned.label });
      showCard(parts, request, response, { title, card: doneCard(title, basePath) });
    }),
  );

  return router;
}

function connectCard({
  basePath,
  visitor,
  secret,
  flow: { device, address },
  from,
  entered: { label, withShared, mayShare, problems },
  household,
}: {
  basePath: string;
  visitor: SignedIn;
  secret: string;
  flow: LoginFlow;
  /** The address of the browser. */
  from: string;
  entered: Entered;
  household: string;
}): Html {
  const { formToken, session } = visitor;
  const { account } = session;
  const elsewhere =
    address === from
      ? html``
      : html`<p class="note care">${icon('warning')}<span>${t('connect.elsewhere', { address, yours: from })}</span></p>`;
  return html`<h1>${t('connect.heading')}</h1>
<p class="lead">${tHtml('connect.lead', { app: html`<strong>${appName(device)}</strong>`, address })}</p>${elsewhere}
<form class="who" method="post" action="${basePath}/account/sign-out">
${hidden({ form_token: formToken, next: `${basePath}/account/connect?flow=${secret}` })}
${avatar({ account, basePath, size: 'small' })}
<span class="name">${tHtml('consent.account', { name: html`<strong>${account.name}</strong>`, household })}</span>
<button class="plain">${t('consent.switch')}</button></form>
<form method="post" action="${basePath}/account/connect">${hidden({ form_token: formToken, flow: secret })}
<input class="unseen" name="username" value="${account.username}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
${field({ name: 'label', label: t('programs.create.label'), value: label, help: t('programs.create.labelHelp'), problem: problems.label })}
${
  account.homeId === null
    ? html``
    : check('with_shared', withShared, { label: t('connect.withShared'), help: t('connect.withSharedHelp') })
}
${
  account.permissions.share || account.permissions.weblink
    ? check('may_share', mayShare, { label: t('connect.mayShare'), help: t('connect.mayShareHelp') })
    : html``
}
${confirmFields({ visitor, problems })}
<div class="answer"><a class="button" href="${basePath}/account/programs">${t('connect.cancel')}</a><button class="primary">${t('connect.do')}</button></div></form>
<p class="below-answer">${tHtml('consent.revoke', { start: html`<a href="${basePath}/account/programs#app-passwords">`, end: html`</a>` })}</p>`;
}

function check(name: string, isChecked: boolean, { label, help }: { label: string; help: string }): Html {
  const helpId = `${name.replace('_', '-')}-help`;
  return html`<div class="check"><input type="checkbox" id="${name}" name="${name}" value="1"${isChecked ? html` checked` : html``} aria-describedby="${helpId}"><label for="${name}">${label}</label><p class="help" id="${helpId}">${help}</p></div>`;
}

function doneCard(title: string, basePath: string): Html {
  return html`<h1>${title}</h1><p class="lead">${t('connect.done.lead')}</p>
<p><a href="${basePath}/account/programs#app-passwords">${t('connect.done.passwords')}</a></p>`;
}

function endedCard(): Html {
  return html`<h1>${t('connect.ended.heading')}</h1><p class="lead">${t('connect.ended.lead')}</p>`;
}
