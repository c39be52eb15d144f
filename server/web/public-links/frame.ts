import type { Request, Response } from 'express';
import { type Html, html } from '../../lib/text/html.ts';
import { t, tHtml } from '../../messages/messages.ts';
import { field, hidden, problemNote } from '../shell/form-fields.ts';
import { sprites } from '../shell/icons.ts';
import { openPage } from '../shell/layout.ts';
import { sendPage, showCard } from '../shell/page-context.ts';
import { spoken } from '../shell/relative-time.ts';
import type { LinkPagesParts, LinkRequest } from './context.ts';

/** No content of other origins, and no inline script or style. */
export const LINK_POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'media-src', 'connect-src', 'frame-src', 'form-action'].map(
    (name) => `${name} 'self'`,
  ),
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function headOf({ assets }: Pick<LinkPagesParts, 'assets'>, hasScript = true): Html {
  return hasScript ? assets.load('linkStyles', 'comments', 'link') : assets.load('linkStyles', 'comments');
}

/** A page with a bar that names who shares it. */
export function showOpen(
  parts: LinkPagesParts,
  response: Response,
  { open }: LinkRequest,
  { name, content, head = html``, status = 200 }: { name: string; content: Html; head?: Html; status?: number },
): void {
  const { link, creator } = open;
  const household = parts.householdName();
  const until = link.expiresAt === null ? null : spoken(link.expiresAt, parts.clock.now());
  response.setHeader('Content-Security-Policy', LINK_POLICY);
  sendPage(
    response,
    status,
    openPage({
      title: t('page.title', { page: name, household }),
      assets: parts.assets,
      bar: tHtml('links.sharedBy', { name: html`<strong>${creator.name}</strong>`, household }),
      end: until === null ? html`` : html`<p class="until">${t('links.openUntil', { date: until })}</p>`,
      content: html`${content}<div class="unseen" id="say" role="status"></div>${sprites()}`,
      head: html`${headOf(parts)}${head}`,
    }),
    // Who knows the address of the link knows all of it that is in the page.
    { isCompressed: true },
  );
}

type Submitted = { readonly problem?: string | null; readonly status?: number };

/** A page with a single card, which shows nothing of the linked item. */
function showOne(
  parts: LinkPagesParts,
  request: Request,
  response: Response,
  heading: string,
  card: Html,
  status: number,
): void {
  showCard(parts, request, response, { title: heading, card: html`<h1>${heading}</h1>${card}`, status });
}

export function showGone(parts: LinkPagesParts, request: Request, response: Response): void {
  showOne(parts, request, response, t('links.gone.heading'), html`<p>${t('links.gone.lead')}</p>`, 404);
}

export function showEnded(parts: LinkPagesParts, request: Request, response: Response): void {
  showOne(parts, request, response, t('links.ended.heading'), html`<p>${t('links.ended.lead')}</p>`, 410);
}

export function showProblem(
  parts: LinkPagesParts,
  request: Request,
  response: Response,
  { text, status, way }: { text: string; status: number; way: { text: string; href: string } | null },
): void {
  const card = html`<p>${text}</p>${way === null ? html`` : html`<p class="actions"><a class="button" href="${way.href}">${way.text}</a></p>`}`;
  showOne(parts, request, response, t('links.errors.heading'), card, status);
}

/** @param next the requested page, below the link */
export function showPassword(
  parts: LinkPagesParts,
  request: Request,
  response: Response,
  { open }: Pick<LinkRequest, 'open'>,
  next: string,
  { problem = null, status = 200 }: Submitted = {},
): void {
  const input = field({
    name: 'password',
    label: t('links.password.label'),
    type: 'password',
    autocomplete: 'off',
    hasFocus: true,
    ...(problem === null ? {} : { problem }),
  });
  const card = html`<p class="lead">${t('links.password.lead')}</p>
<form method="post" action="${parts.basePath}/wl/open">${hidden({ id: open.link.id, next })}${input}
<div class="actions"><button class="primary">${t('links.password.submit')}</button></div></form>`;
  showOne(parts, request, response, t('links.password.heading'), card, status);
}

export function showTerms(
  parts: LinkPagesParts,
  request: Request,
  response: Response,
  { open }: Pick<LinkRequest, 'open'>,
  next: string,
  { problem = null, status = 200 }: Submitted = {},
): void {
  const paragraphs = open.link.downloadTerms.split(/\n{2,}/).map((text) => html`<p>${text}</p>`);
  const card = html`<h1>${t('links.terms.heading')}</h1><p class="lead">${t('links.terms.lead')}</p>
${problemNote(problem)}<div class="terms" role="region" aria-label="${t('links.terms.label')}" tabindex="0" dir="auto">${paragraphs}</div>
<form method="post" action="${parts.basePath}/wl/accept">${hidden({ id: open.link.id, next })}
<div class="actions"><button class="primary">${t('links.terms.submit')}</button></div></form>`;
  showCard(parts, request, response, {
    title: t('links.terms.heading'),
    card,
    status,
    size: 'wide',
    head: headOf(parts, false),
  });
}
