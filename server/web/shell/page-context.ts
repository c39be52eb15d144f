import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { AccountRecord } from '../../accounts/accounts.ts';
import type { Session, Sessions } from '../../accounts/sign-in/sessions.ts';
import { addressOf } from '../../http/connection/client-address.ts';
import { ApiError } from '../../http/errors.ts';
import { parseForm, type RawParameters } from '../../http/request/read-parameters.ts';
import { compressQuickly, encodingFor } from '../../http/response/compressed.ts';
import { sendBody } from '../../http/response/send-buffer.ts';
import type { Origin } from '../../lib/events.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import type { PageAssets } from './assets/page-assets.ts';
import { deviceOf, formOf, type Visitor, visitorOf } from './browser-session.ts';
import { barPage, cardPage } from './layout.ts';
import type { LinkPlace } from './link-place.ts';
import type { SearchField } from './search-field.ts';

/** The parts that all pages share. */
export interface PageContext {
  readonly basePath: string;
  readonly assets: PageAssets;
  readonly householdName: () => string;
  /** The first name of the owner. */
  readonly ownerName: () => Promise<string>;
  /** The address of the control panel, for accounts that may open it from where the request comes; otherwise null. */
  readonly panelFor: (request: IncomingMessage, account: AccountRecord) => string | null;
  /** Where links work that are created by this request. */
  readonly linkPlace: (request: IncomingMessage) => LinkPlace;
  readonly sessions: Sessions;
}

interface Card {
  readonly title: string;
  readonly card: Html;
  readonly size?: 'small' | 'wide' | 'widest';
  readonly status?: number;
  /** Further head elements: styles and scripts. */
  readonly head?: Html;
  /** Content below the card. */
  readonly below?: Html;
}

/** Sends a page with one card. */
export function showCard(
  { assets, householdName }: PageContext,
  request: Request,
  response: Response,
  { title, card, size = 'small', status = 200, below, head }: Card,
): void {
  const address = request.headers.host ?? '';
  const script = scriptOfFields(assets, response, card);
  const heads = [...(head === undefined ? [] : [head]), ...(script === null ? [] : [script])];
  const more = { ...(below === undefined ? {} : { below }), ...(heads.length === 0 ? {} : { head: html`${heads}` }) };
  sendPage(response, status, cardPage({ title, size, household: householdName(), assets, card, address, ...more }));
}

/** Sends a page with a bar and content, for a signed-in person. */
export function showContent(
  { assets, basePath, householdName, panelFor }: PageContext,
  response: Response,
  visitor: SignedIn,
  {
    status = 200,
    isCompressed = false,
    ...shown
  }: { title: string; content: Html; status?: number; head?: Html; home?: string; search?: SearchField } & PageOptions,
): void {
  const { session, formToken } = visitor;
  const { account } = session;
  const panel = panelFor(response.req, account);
  const script = scriptOfFields(assets, response, shown.content);
  const head = html`${[...(shown.head === undefined ? [] : [shown.head]), ...(script === null ? [] : [script])]}`;
  const page = { ...shown, head, assets, basePath, household: householdName(), account, formToken, panel };
  sendPage(response, status, barPage(page), { isCompressed });
}

/** Password fields and recovery codes have a script. @returns null for a page without them; the policy allows no scripts then */
function scriptOfFields(assets: PageAssets, response: Response, content: Html): Html | null {
  if (!/type="password"|id="codes"/.test(content.text)) return null;
  const policy = String(response.getHeader('Content-Security-Policy'));
  if (!/script-src/.test(policy)) response.setHeader('Content-Security-Policy', `${policy};script-src 'self'`);
  return assets.load('fields');
}

export interface PageOptions {
  /**
   * Whether the page may be compressed: only pages whose secrets change with every reply, like form tokens and tickets, because
   * the length of a compressed page reveals what its text has in common with text of others (BREACH). A page that shows the
   * address of a link, a password or a key is not.
   */
  readonly isCompressed?: boolean;
}

/** Below this, compression saves no packet. */
const WORTH_COMPRESSING = 1_400;

export function sendPage(
  response: Response,
  status: number,
  text: string,
  { isCompressed = false }: PageOptions = {},
): void {
  response.status(status).type('html').setHeader('Cache-Control', 'no-store');
  const bytes = Buffer.from(text);
  if (!isCompressed || bytes.length < WORTH_COMPRESSING) {
    void sendBody(response, bytes);
    return;
  }
  response.vary('Accept-Encoding');
  const encoding = encodingFor(response.req);
  if (encoding === null) {
    void sendBody(response, bytes);
    return;
  }
  response.setHeader('Content-Encoding', encoding);
  compressQuickly(bytes, encoding).then(
    (packed) => sendBody(response, packed),
    // Without memory for it; the browser loads the page again.
    () => response.destroy(),
  );
}

/** Cookies require HTTPS, even while plain HTTP is allowed for testing. */
export const onlyOverHttps: RequestHandler = (request: Request, _response: Response, next: NextFunction) => {
  if (!request.secure) throw new ApiError('https_required', t('api.requests.pageOverHttps'));
  next();
};

export interface SignedIn extends Visitor {
  readonly session: Session;
}

/** @param status 200 unless it replaces another page */
export type ShowSignIn = (
  request: Request,
  response: Response,
  visitor: Visitor,
  next: string,
  status?: number,
) => Promise<void>;

/** Wraps a page for signed-in people; others sign in first and then return here. */
export function forSignedIn(
  { sessions, basePath }: PageContext,
  showSignIn: ShowSignIn,
  show: (request: Request, response: Response, visitor: SignedIn) => Promise<void>,
  back = '/account/',
): RequestHandler {
  return async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    if (visitor.session === null) {
      // The submitted form is lost; its page is shown again.
      const page = request.method === 'GET' ? request.originalUrl : `${basePath}${back}`;
      return showSignIn(request, response, visitor, page);
    }
    await show(request, response, { ...visitor, session: visitor.session });
  };
}

/** The same for a form of such a page. */
export function formForSignedIn(
  context: PageContext,
  showSignIn: ShowSignIn,
  take: (request: Request, response: Response, visitor: SignedIn, fields: Record<string, string>) => Promise<void>,
): RequestHandler {
  return forSignedIn(context, showSignIn, async (request, response, visitor) =>
    take(request, response, visitor, await formOf(request, response, visitor)),
  );
}

/** The origin of a person at a browser, without an app. */
export function originOf(request: Request): Origin {
  return { channel: 'page', client: null, address: addressOf(request) };
}

/** The same for someone who enters a password. */
export function triedBy(request: Request): { from: Origin; device: string | null } {
  return { from: originOf(request), device: deviceOf(request) };
}

/** The query string of an address. */
export function queryOf(request: Request): RawParameters {
  const start = request.originalUrl.indexOf('?');
  return start < 0 ? {} : parseForm(request.originalUrl.slice(start + 1));
}
