import type { Request, RequestHandler, Response } from 'express';
import type { LinkVisitor } from '../../access/caller.ts';
import type { Session } from '../../accounts/sign-in/sessions.ts';
import type { CommentsContext } from '../../comments/context.ts';
import type { ContentContext } from '../../files/content-context.ts';
import type { ActiveResponses } from '../../http/connection/active-responses.ts';
import { ApiError } from '../../http/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { HourlyLimit } from '../../lib/concurrency/hourly-limit.ts';
import type { Actor } from '../../lib/events.ts';
import { tokenHash } from '../../lib/random.ts';
import type { BrowseContext } from '../../listing/listing.ts';
import type { Thumbnails } from '../../media/thumbnails/thumbnails.ts';
import { t } from '../../messages/messages.ts';
import type { MetadataContext } from '../../metadata/context.ts';
import type { WeblinksContext } from '../../weblinks/context.ts';
import { type OpenLink, openLink, visitorOf } from '../../weblinks/open-link.ts';
import { gateOf, type Visit } from '../../weblinks/visits.ts';
import { linkBrowserOf, sessionOf } from '../shell/browser-session.ts';
import { type ContentTickets, holderOf } from '../shell/content-tickets.ts';
import { originOf, type PageContext } from '../shell/page-context.ts';
import { type LinkAddresses, linkAddresses } from './addresses.ts';
import { linkSentence } from './failures.ts';

/** The parts that the pages of web links use. */
export interface LinkPagesParts extends PageContext {
  readonly weblinks: WeblinksContext;
  readonly listing: BrowseContext;
  readonly thumbnails: Thumbnails;
  readonly contentTickets: ContentTickets;
  readonly activeResponses: ActiveResponses;
  readonly commentsContext: CommentsContext;
  readonly metadataContext: MetadataContext;
  /** For comments, by link and address. */
  readonly commentLimit: HourlyLimit;
  /** For new browser cookies, by address. */
  readonly browserLimit: HourlyLimit;
  readonly clock: Clock;
}

/** A visitor at a link: what it opens, and what they have passed of its requirements. */
export interface LinkRequest {
  readonly open: OpenLink;
  readonly visit: Visit;
  /** The browser, by the hash of its cookie. */
  readonly browser: ReturnType<typeof linkBrowserOf>;
  readonly session: Session | null;
  /** What the visitor still has to pass. */
  readonly pendingRequirement: ReturnType<typeof gateOf>;
  readonly caller: LinkVisitor;
  readonly files: ContentContext;
  readonly listing: BrowseContext;
}

/**
 * Identifies the visitor and the link.
 * @param allowUsedUp also for a link that is used up: the caller then has to call `refuseEnded`
 * @throws ApiError `not_found`, `link_expired`, `link_used_up`; `https_required` over plain HTTP, where it takes cookies
 */
export async function arrive(
  parts: LinkPagesParts,
  request: Request,
  response: Response,
  id: string,
  allowUsedUp = false,
): Promise<LinkRequest> {
  const { weblinks, sessions, activeResponses } = parts;
  const open = await openLink(weblinks, id, { allowUsedUp });
  const browser = request.secure ? linkBrowserOf(request) : null;
  const session = request.secure ? await sessionOf(sessions, request) : null;
  const visit = await weblinks.visits.find(open.link.number, browser?.visitor ?? null);
  const pendingRequirement = gateOf(open.link, visit, session !== null);
  if (pendingRequirement !== null && !request.secure)
    throw new ApiError('https_required', t('api.requests.pageOverHttps'));
  activeResponses.begin(open.creator.id, response, () => isStillSignedIn(parts, { open, session }));
  return {
    open,
    visit,
    browser,
    session,
    pendingRequirement,
    ...reachOf(parts, open, request, visit.name, session?.account ?? null),
  };
}

/** Whether a link that requires sign-in is still open to the visitor's session. */
export async function isStillSignedIn(
  { sessions }: Pick<LinkPagesParts, 'sessions'>,
  { open, session }: Pick<LinkRequest, 'open' | 'session'>,
): Promise<boolean> {
  return !open.link.requireLogin || session === null || (await sessions.liveAccount(session.id)) !== null;
}

/**
 * Called after a body has arrived, which may take long: a link that requires sign-in is closed to sessions that ended meanwhile.
 * @throws ApiError `permission_denied`
 */
export async function recheckLink(parts: Pick<LinkPagesParts, 'sessions'>, linkRequest: LinkRequest): Promise<void> {
  if (await isStillSignedIn(parts, linkRequest)) return;
  throw new ApiError('permission_denied', t('links.errors.noPermission'));
}

/** What a visitor reaches, and by whose rights. */
export function reachOf(
  { weblinks, listing }: LinkPagesParts,
  open: OpenLink,
  request: Request,
  name: string,
  signedInAs: Actor['account'],
): Pick<LinkRequest, 'caller' | 'files' | 'listing'> {
  return { caller: visitorOf(open, originOf(request), { name, signedInAs }), files: weblinks, listing };
}

/**
 * What a ticket allows: the thumbnails and views of a page, the content of a view, or a download by the browser with a cookie of
 * this hash (null without a cookie).
 */
export type TicketUse = 'page' | { readonly downloadBy: Buffer | null } | { readonly shown: readonly string[] };

/**
 * The subject of a link's tickets: after a change of password or terms they are invalid.
 * @param session of the signed-in visitor, if the link requires sign-in
 */
export function ticketSubject({ link }: OpenLink, session: Session | null, use: TicketUse): string {
  const requested = tokenHash(`${link.passwordHash}\n${link.downloadTerms}\n${link.requireLogin}`).toString(
    'base64url',
  );
  const what = useText(use);
  const holder = link.requireLogin && session !== null ? holderOf(session) : '';
  return ['link', link.id, requested, holder, what].join('\n');
}

function useText(use: TicketUse): string {
  if (typeof use === 'string') return use;
  if ('shown' in use) return `shown /${use.shown.join('/')}`;
  return `taking by ${use.downloadBy?.toString('base64') ?? ''}`;
}

/** The addresses of a link, with a ticket for one use. @param signedIn the signed-in visitor */
export function ticketedAddresses(
  { basePath, contentTickets }: Pick<LinkPagesParts, 'basePath' | 'contentTickets'>,
  open: OpenLink,
  signedIn: Session | null,
  use: TicketUse,
): LinkAddresses {
  const session = open.link.requireLogin ? signedIn : null;
  return linkAddresses(basePath, open, contentTickets.issue(ticketSubject(open, session, use)), session?.id ?? null);
}

/** Whether content can be viewed without a download: not if downloads are counted, because viewing is receiving. */
export function allowsPreview({ link }: OpenLink): boolean {
  return link.downloadLimit === 0 && !link.forceSave;
}

/** Whether thumbnails are shown: not if downloads are counted. */
export function allowsThumbnails({ link }: OpenLink): boolean {
  return link.downloadLimit === 0;
}

/** Wraps a route for visitors who have passed the link's requirements; others are asked first. A failure is an error page. */
export type LinkRoute = (
  take: (request: Request, response: Response, linkRequest: LinkRequest) => Promise<unknown>,
) => RequestHandler;

/** Details that a client needs to continue; all others are about the household. */
const SHOWN_DETAILS = ['parameter', 'offset', 'totalSize'];

/** A failure as a visitor may see it: without missing permissions or free space. */
export function forVisitor(error: ApiError): ApiError {
  const { code, message, details = {}, headers } = error;
  const told = Object.fromEntries(Object.entries(details).filter(([name]) => SHOWN_DETAILS.includes(name)));
  const facts = Object.keys(told).length === 0 ? {} : { details: told };
  return new ApiError(code, linkSentence(code) ?? message, { ...facts, headers, cause: error });
}
