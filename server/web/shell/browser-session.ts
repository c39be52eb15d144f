import { parse } from 'cookie';
import type { Request, Response } from 'express';
import { DEVICE_LIFETIME, type Devices } from '../../accounts/sign-in/devices.ts';
import type { StillProved } from '../../accounts/sign-in/proof-validity.ts';
import type { Session, Sessions } from '../../accounts/sign-in/sessions.ts';
import { RETAINED_FOR } from '../../accounts/sign-in/sessions.ts';
import { ApiError } from '../../http/errors.ts';
import { readBytes } from '../../http/request/read-bytes.ts';
import { bodyParameters, parseForm, type RawParameters, readText } from '../../http/request/read-parameters.ts';
import { DAY } from '../../lib/clock.ts';
import { randomToken, tokenHash } from '../../lib/random.ts';
import { t } from '../../messages/messages.ts';
import { RECOVERY_CODE } from './form-fields.ts';
import { type FormTokens, formTokensOf, isTokenOf } from './form-token.ts';

/** The prefix makes browsers accept the cookies only from this host over HTTPS, for all paths (RFC 6265bis §4.1.3.2). */
const SESSION_COOKIE = '__Host-larder-session';
const VISITOR_COOKIE = '__Host-larder-visitor';

/** Identifies a browser that has signed in before, so that other people's guesses do not lock it out. */
const DEVICE_COOKIE = '__Host-larder-device';

/** Bytes of a form: the longest contains a comment, or a text field of a file's metadata. */
const MAX_FORM = 128 * 1024;

const COOKIE = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' } as const;

/** A browser's visitor: the account, if signed in, and the token for its forms. */
export interface Visitor extends FormTokens {
  readonly session: Session | null;
  /**
   * Called after a body has arrived, which may take long.
   * @throws ApiError `permission_denied` when the session has ended meanwhile, or the account's permissions have changed
   */
  readonly confirm: () => Promise<void>;
}

/**
 * The visitor of a page. A browser without a session gets a cookie, so that its forms can be distinguished from those of other
 * sites.
 */
export async function visitorOf(sessions: Sessions, request: Request, response: Response): Promise<Visitor> {
  const cookies = parse(request.headers.cookie ?? '');
  const sessionToken = cookies[SESSION_COOKIE];
  const session = sessionToken === undefined ? null : await sessions.find(sessionToken);
  if (session !== null && sessionToken !== undefined) {
    const allowed = JSON.stringify(session.account.permissions);
    const confirm = async () => {
      const account = await sessions.liveAccount(session.id);
      if (account === null || JSON.stringify(account.permissions) !== allowed) throw staleForm();
    };
    return { session, ...formTokensOf(sessionToken), confirm };
  }
  let visitor = cookies[VISITOR_COOKIE];
  if (visitor === undefined || visitor.length < 40) {
    visitor = randomToken();
    response.cookie(VISITOR_COOKIE, visitor, COOKIE);
  }
  return { session: null, ...formTokensOf(visitor), confirm: async () => undefined };
}

/** The content of a browser's device cookie; null without one. It proves nothing by itself. */
export function deviceOf(request: Pick<Request, 'headers'>): string | null {
  const token = parse(request.headers.cookie ?? '')[DEVICE_COOKIE];
  return token === undefined || token.length < 40 || token.length > 100 ? null : token;
}

/** Called after a sign-in or a change of password. */
export async function rememberDevice(
  devices: Devices,
  request: Request,
  response: Response,
  accountId: number,
  stillProved: StillProved,
): Promise<void> {
  const token = await devices.remember(accountId, deviceOf(request), stillProved);
  if (token === null) return;
  response.cookie(DEVICE_COOKIE, token, { ...COOKIE, maxAge: DEVICE_LIFETIME });
}

/** The session, without setting a cookie for others. */
export async function sessionOf(sessions: Sessions, request: Request): Promise<Session | null> {
  const token = parse(request.headers.cookie ?? '')[SESSION_COOKIE];
  return token === undefined ? null : sessions.find(token);
}

/** Identifies a browser that visits web links, but not its user. */
const LINK_COOKIE = '__Host-larder-link';
const LINK_COOKIE_KEPT = 90 * DAY;

interface LinkBrowser extends FormTokens {
  /** The hash of its cookie. */
  readonly visitor: Buffer;
}

/** Its hash, and the token for forms of link pages; null for a browser without the cookie. */
export function linkBrowserOf(request: Request): LinkBrowser | null {
  const secret = parse(request.headers.cookie ?? '')[LINK_COOKIE];
  if (secret === undefined || secret.length < 40) return null;
  return { visitor: tokenHash(secret), ...formTokensOf(secret) };
}

/** The same; sets the cookie, or extends its lifetime. */
export function knownLinkBrowser(request: Request, response: Response): LinkBrowser {
  const kept = parse(request.headers.cookie ?? '')[LINK_COOKIE];
  // One for all forms of a page.
  const fresh: unknown = response.locals.linkBrowser;
  const secret = kept !== undefined && kept.length >= 40 ? kept : typeof fresh === 'string' ? fresh : randomToken();
  response.locals.linkBrowser = secret;
  response.cookie(LINK_COOKIE, secret, { ...COOKIE, maxAge: LINK_COOKIE_KEPT });
  return { visitor: tokenHash(secret), ...formTokensOf(secret) };
}

/** A new id at every sign-in, so that one known before it is worthless (session fixation). */
export function beginSession(response: Response, token: string, kept: boolean): void {
  response.cookie(SESSION_COOKIE, token, { ...COOKIE, ...(kept ? { maxAge: RETAINED_FOR } : {}) });
  response.clearCookie(VISITOR_COOKIE, COOKIE);
}

export function endSession(response: Response): void {
  response.clearCookie(SESSION_COOKIE, COOKIE);
}

/**
 * Rejects requests that browsers mark as coming from another site. Our pages send no referrer, and therefore no origin.
 * @throws ApiError `permission_denied`
 */
export function refuseForeign({ headers }: Request): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isForeign = site === undefined ? origin !== undefined && origin !== `https://${host}` : site !== 'same-origin';
  if (isForeign) throw staleForm();
}

function staleForm(): ApiError {
  return new ApiError('permission_denied', t('files.errors.staleForm'));
}

function textsOf(fields: RawParameters, visitor: Visitor): Record<string, string> {
  checkFormToken(fields.form_token, visitor);
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Whether a form comes from a page that was shown to this visitor. @throws ApiError `permission_denied` */
export function checkFormToken(token: unknown, visitor: Pick<Visitor, 'formKey'>): void {
  if (!isTokenOf(token, visitor)) throw staleForm();
}

/**
 * The same for a form with a file.
 * @param limit bytes of the file
 * @throws ApiError also `upload_too_large`
 */
export async function fileFormOf(
  request: Request,
  response: Response,
  visitor: Visitor,
  limit: number,
): Promise<{ fields: Record<string, string>; file: Buffer | null }> {
  refuseForeign(request);
  const { parameters, file } = await bodyParameters(request, response, {
    take: (content) => readBytes(content, limit),
    drop: async () => undefined,
  });
  await visitor.confirm();
  return { fields: textsOf(parameters, visitor), file };
}

/** The same, with lists: `path[]=a&path[]=b`. */
export async function listFormOf(request: Request, response: Response, visitor: Visitor): Promise<RawParameters> {
  refuseForeign(request);
  const fields = parseForm(await readText(request, response));
  await visitor.confirm();
  checkFormToken(fields.form_token, visitor);
  return fields;
}

/**
 * The fields of a form with a long text.
 * @param limit bytes of the form
 * @throws ApiError like `formOf`
 */
export async function longFormOf(
  request: Request,
  response: Response,
  visitor: Visitor,
  limit: number,
): Promise<Record<string, string>> {
  refuseForeign(request);
  const fields = parseForm(await readText(request, response, limit));
  await visitor.confirm();
  return textsOf(fields, visitor);
}

/**
 * The fields of a form sent from one of our own pages. A recovery code takes the place of the code.
 * @throws ApiError `permission_denied` when another site made the browser send it
 */
export async function formOf(request: Request, response: Response, visitor: Visitor): Promise<Record<string, string>> {
  const { [RECOVERY_CODE]: recovery = '', ...texts } = await longFormOf(request, response, visitor, MAX_FORM);
  return recovery.trim() === '' ? texts : { ...texts, otp: recovery };
}
