import express, { type Request, type Response, type Router } from 'express';
import type { AccountRecord } from '../../accounts/accounts.ts';
import { blockReason } from '../../accounts/permissions/account-status.ts';
import type { GuestLinks } from '../../accounts/sign-in/guest-links.ts';
import { guestLinkStillOpen } from '../../accounts/sign-in/proof-validity.ts';
import type { Clock } from '../../lib/clock.ts';
import { actorOf, type Events } from '../../lib/events.ts';
import { html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { beginSession, formOf, visitorOf } from '../shell/browser-session.ts';
import { hidden } from '../shell/form-fields.ts';
import { originOf, type PageContext, showCard } from '../shell/page-context.ts';

export interface GuestFlowParts extends PageContext {
  readonly guestLinks: GuestLinks;
  readonly events: Events;
  readonly clock: Clock;
}

/**
 * The private link of a guest. Opening it does not sign in yet, because programs open links in mails and chats before people do.
 */
export function guestFlow(parts: GuestFlowParts): Router {
  const { basePath, sessions, guestLinks, events, clock } = parts;

  /** The guest whose link it is, if it is valid. */
  async function guestOf(token: string): Promise<AccountRecord | null> {
    const account = await guestLinks.find(token);
    return account === null || blockReason(account, clock.now()) !== null ? null : account;
  }

  function showEnded(request: Request, response: Response): void {
    const card = html`<h1>${t('guest.ended.heading')}</h1><p>${t('guest.ended.lead')}</p>`;
    showCard(parts, request, response, { title: t('guest.ended.heading'), card, status: 410 });
  }

  const router = express.Router({ caseSensitive: true });

  router.get('/guest', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const id = new URLSearchParams(request.originalUrl.split('?')[1]).get('id') ?? '';
    const guest = await guestOf(id);
    if (guest === null) return showEnded(request, response);
    const other = visitor.session !== null && visitor.session.account.id !== guest.id ? visitor.session.account : null;
    const card = html`<h1>${t('guest.heading', { name: guest.name })}</h1><p class="lead">${t('guest.lead', { household: parts.householdName() })}</p>
${other === null ? '' : html`<p class="help">${t('guest.signsOut', { name: other.name })}</p>`}
<form method="post" action="${basePath}/guest/">${hidden({ form_token: visitor.formToken, id })}
<div class="actions"><button class="primary">${t('guest.submit', { name: guest.name })}</button></div></form>`;
    const below = html`${t('guest.private')}`;
    showCard(parts, request, response, { title: t('guest.heading', { name: guest.name }), card, below });
  });

  router.post('/guest', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const { id = '' } = await formOf(request, response, visitor);
    const guest = await guestOf(id);
    if (guest === null) return showEnded(request, response);
    if (visitor.session !== null) await sessions.end(visitor.session.id);
    const from = originOf(request);
    const browser = request.headers['user-agent'] ?? '';
    const stillProved = guestLinkStillOpen(guest.id, id);
    const begun = { accountId: guest.id, kept: false, address: from.address ?? '', browser, stillProved };
    const token = await sessions.begin(begun);
    if (token === null) return showEnded(request, response);
    beginSession(response, token, false);
    await guestLinks.noteVisit(guest.id);
    events.emit('login.succeeded', { actor: actorOf(from, guest) });
    response.redirect(303, `${basePath}/files/`);
  });

  return router;
}
