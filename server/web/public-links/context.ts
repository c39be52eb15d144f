import type { Request, RequestHandler, Response } from 'express';
import type { LinkVisitor } from '../../access/caller.ts';
import type { Session } from '../../accounts/sign-in/sessions.ts';
import type { CommentsContext } from '../../comments/context.ts';
import type { FilesContext } from '../../files/context.ts';
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

/** What the pages of web links work with. */
export interface LinkPagesParts extends PageContext {
  readonly weblinks: WeblinksContext;
  readonly listing: BrowseContext;
  readonly thumbnails: Thumbnails;
  readonly contentTickets: ContentTickets;
  readonly calls: ActiveResponses;
  readonly commenting: CommentsContext;
  readonly describing: MetadataContext;
  /** Of comments, by link and address. */
  readonly commentLimit: HourlyLimit;
  /** Of browsers that are remembered, by address. */
  readonly browserLimit: HourlyLimit;
  readonly clock: Clock;
}

/** Somebody at a link: what it opens, and what they have shown of what it asks for. */
export interface Arrival {
  readonly open: OpenLink;
  readonly visit: Visit;
  /** The browser, by the hash of what it keeps. */
  readonly browser: ReturnType<typeof linkBrowserOf>;
  readonly session: Session | null;
  /** What stands between them and the link. */
  readonly gate: ReturnType<typeof gateOf>;
  readonly caller: LinkVisitor;
  readonly files: FilesContext;
  readonly listing: BrowseContext;
}

/**
 * Who comes, and by which link.
 * @param isUnderWay whether a download goes on that has used the link up
 * @throws ApiError `not_found`, `link_expired`, `link_used_up`; `https_required` over plain HTTP, where it takes cookies
 */
export async function arrive(
  parts: LinkPagesParts,
  request: Request,
  response: Response,
  id: string,
  isUnderWay = false,
): Promise<Arrival> {
  const { weblinks, sessions, calls } = parts;
  const open = await openLink(weblinks, id, { isUnderWay });
  const browser = request.secure ? linkBrowserOf(request) : null;
  const session = request.secure ? await sessionOf(sessions, request) : null;
  const visit = await weblinks.visits.find(open.link.number, browser?.visitor ?? null);
  const gate = gateOf(open.link, visit, session !== null);
  if (gate !== null && !request.secure) throw new ApiError('https_required', t('api.requests.pageOverHttps'));
  const isAllowed = async () =>
    !open.link.requireLogin || session === null || (await sessions.liveAccount(session.id)) !== null;
  calls.begin(open.creator.id, response, isAllowed);
  return {
    open,
    visit,
    browser,
    session,
    gate,
    ...reachOf(parts, open, request, visit.name, session?.account ?? null),
  };
}

/**
 * Asked after a body has arrived, which may take long: a link for people who are signed in opens nothing to one who no longer is.
 * @throws ApiError `permission_denied`
 */
export async function confirmArrival({ sessions }: Pick<LinkPagesParts, 'sessions'>, arrival: Arrival): Promise<void> {
  const { open, session } = arrival;
  if (!open.link.requireLogin || session === null || (await sessions.liveAccount(session.id)) !== null) return;
  throw new ApiError('permission_denied', t('links.errors.noPermission'));
}

/** What a visitor reaches, and by whose rights. */
export function reachOf(
  { weblinks, listing }: LinkPagesParts,
  open: OpenLink,
  request: Request,
  name: string,
  signedInAs: Actor['account'],
): Pick<Arrival, 'caller' | 'files' | 'listing'> {
  return { caller: visitorOf(open, originOf(request), { name, signedInAs }), files: weblinks, listing };
}

/**
 * What somebody may have by a ticket: the pictures and views of a page, what a view shows, or a download by the browser with
 * a cookie of this hash; null for one that keeps no cookies.
 */
export type TicketUse = 'page' | { readonly takingBy: Buffer | null } | { readonly shown: readonly string[] };

/**
 * What the tickets of a link are for: with another password or other terms they open nothing any more.
 * @param session of whoever is signed in, where the link asks for that
 */
export function ticketSubject({ link }: OpenLink, session: Session | null, use: TicketUse): string {
  const asked = tokenHash(`${link.passwordHash}\n${link.downloadTerms}\n${link.requireLogin}`).toString('base64url');
  const what = useText(use);
  const holder = link.requireLogin && session !== null ? holderOf(session) : '';
  return ['link', link.id, asked, holder, what].join('\n');
}

function useText(use: TicketUse): string {
  if (typeof use === 'string') return use;
  if ('shown' in use) return `shown /${use.shown.join('/')}`;
  return `taking by ${use.takingBy?.toString('base64') ?? ''}`;
}

/** The addresses of a link, with a ticket for one use. @param signedIn whoever is signed in */
export function ticketedAddresses(
  { basePath, contentTickets }: Pick<LinkPagesParts, 'basePath' | 'contentTickets'>,
  open: OpenLink,
  signedIn: Session | null,
  use: TicketUse,
): LinkAddresses {
  const session = open.link.requireLogin ? signedIn : null;
  return linkAddresses(basePath, open, contentTickets.issue(ticketSubject(open, session, use)), session?.id ?? null);
}

/** Whether its content is shown and not only downloaded: not where downloads are counted, since to look is to have it. */
export function isShown({ link }: OpenLink): boolean {
  return link.downloadLimit === 0 && !link.forceSave;
}

/** Whether small pictures stand for its files: not where downloads are counted. */
export function isPictured({ link }: OpenLink): boolean {
  return link.downloadLimit === 0;
}

/** For somebody who has passed what the link asks for; everybody else is asked first. A failure is a page like the others. */
export type LinkRoute = (
  take: (request: Request, response: Response, arrival: Arrival) => Promise<unknown>,
) => RequestHandler;

/** Facts that a browser goes on with; every other one is about the household. */
const TOLD = ['parameter', 'offset', 'totalSize'];

/** A failure as a visitor may hear it: neither whose permission is missing nor how much room there is. */
export function forVisitor(error: ApiError): ApiError {
  const { code, message, details = {}, headers } = error;
  const told = Object.fromEntries(Object.entries(details).filter(([name]) => TOLD.includes(name)));
  const facts = Object.keys(told).length === 0 ? {} : { details: told };
  return new ApiError(code, linkSentence(code) ?? message, { ...facts, headers, cause: error });
}
