import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import type { AccountCaller } from '../../../access/caller.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { oneOf, virtualPath } from '../../../http/request/parameters.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { t } from '../../../messages/messages.ts';
import type { WeblinksContext } from '../../../weblinks/context.ts';
import { linkDetails } from '../../../weblinks/link-details.ts';
import { linkEnd } from '../../../weblinks/link-end.ts';
import type { LinkRecord } from '../../../weblinks/link-record.ts';
import { type LinksThere, linksOf } from '../../../weblinks/links-of.ts';
import { editLink, makeLink, removeLinks } from '../../../weblinks/make-link.ts';
import { formOf } from '../../shell/browser-session.ts';
import type { LinkPlace } from '../../shell/link-place.ts';
import { qrCode } from '../../shell/qr-code.ts';
import { sentenceOf } from '../actions.ts';
import { findItem, rootsFor } from '../context.ts';
import { rootOf, showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { optionsIn, type Problem, type Typed, VISITORS, type Visitors } from './form.ts';
import { weblinkPage } from './page.ts';
import { endOfKnown } from './state.ts';

export interface Shown {
  readonly place: LinkPlace;
  /** Whether the person wants to request files. */
  readonly isRequest?: boolean;
  readonly values?: Typed | null;
  readonly problem?: ApiError | null;
  readonly done?: string | null;
}

const FORM_ACTIONS = ['create', 'single', 'temporary', 'save', 'end'] as const;

/** The page of an item's web link and its forms; they use the services of files/weblink. */
export function weblinkPages(context: WeblinksContext, asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });
  // `request` asks for the form that requests files.
  const requested = z.object({ path: virtualPath(), request: z.literal('1').optional() });

  router.get(
    '/files/link',
    asFiles(async (request, response, pageRequest) => {
      const { path, request: wish } = checkParameters(requested, pageRequest.query);
      const place = pageRequest.parts.linkPlace(request);
      const done = doneText(pageRequest.query.done);
      await show(response, pageRequest, path, { place, isRequest: wish !== undefined, done });
    }),
  );

  router.post(
    '/files/link',
    asFiles(async (request, response, pageRequest) => {
      const fields = await formOf(request, response, pageRequest.visitor);
      const {
        path,
        request: wish,
        do: formAction,
      } = checkParameters(requested.extend({ do: oneOf(FORM_ACTIONS) }), fields);
      const place = pageRequest.parts.linkPlace(request);
      try {
        const done = await perform(pageRequest.caller, path, formAction, fields);
        if (pageRequest.isForScript) return await show(response, pageRequest, path, { place, done: doneText(done) });
        response.redirect(303, `${pageRequest.links.link(`/${path.join('/')}`)}&done=${done}`);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await show(response, pageRequest, path, {
          place,
          isRequest: wish !== undefined,
          values: formAction === 'end' ? null : fields,
          problem: error,
        });
      }
    }),
  );

  /** @returns the result, by its name in the messages */
  async function perform(
    caller: AccountCaller,
    path: readonly string[],
    formAction: (typeof FORM_ACTIONS)[number],
    fields: Typed,
  ): Promise<string> {
    if (formAction === 'end') {
      await removeLinks(context, caller, path);
      return 'ended';
    }
    if (formAction === 'save') {
      await editLink(context, caller, path, optionsIn(fields, { kept: fields.kept ?? null }));
      return 'saved';
    }
    const kind = { singleDownload: formAction === 'single', temporary: formAction === 'temporary' };
    const { isNew } = await makeLink(context, caller, path, { ...optionsIn(fields, null), ...kind });
    return formAction !== 'create' ? formAction : isNew ? 'created' : 'existing';
  }

  async function show(
    response: Response,
    pageRequest: PageRequest,
    path: readonly string[],
    { place, isRequest: isWished = false, values = null, problem = null, done = null }: Shown,
  ): Promise<void> {
    const { parts, links, caller, visitor, isForScript } = pageRequest;
    const failure = problem === null ? null : shownProblem(problem, isForScript);
    const at = `/${path.join('/')}`;
    const [roots, { row }, there] = await Promise.all([
      rootsFor(parts, caller),
      findItem(parts, caller, at, null),
      linksOf(context, caller, path),
    ]);
    // The caller ended their last link and may not make another: say so.
    if (!there.may.make && there.own.length === 0 && done === null) {
      throw new ApiError('permission_denied', t('weblinks.problems.notAllowed'));
    }
    const now = context.clock.now();
    const known = (link: LinkRecord) => linkDetails(link, place.address);
    const record = there.own.find(({ isPermanent }) => isPermanent);
    const permanent = record === undefined ? null : known(record);
    const isOpen = permanent !== null && endOfKnown(permanent, now) === null;
    const visitors = visitorsIn(there);
    const isRequest = isWished && visitors.includes('send');
    const heading = isRequest ? 'weblinks.request.heading' : 'weblinks.heading';
    const title = t(heading, { name: bidiIsolate(row.name) });
    const isAlive = (link: LinkRecord) => linkEnd(link, now) === null;
    const main = weblinkPage({
      action: `${links.base}/link`,
      back: links.item(at),
      formToken: visitor.formToken,
      heading: title,
      title: row.name,
      item: row,
      names: [],
      about: { path: row.path, ...(isRequest ? { request: '1' } : {}) },
      permanent,
      qr: isOpen ? await qrCode(permanent.url, t('weblinks.qrCode')) : null,
      extras: there.own.filter((link) => !link.isPermanent && isAlive(link)).map(known),
      others: there.others.filter(({ link }) => isAlive(link)).map(({ link, by }) => ({ link: known(link), by })),
      mayMake: there.may.make,
      visitors,
      isRequest,
      place,
      settings: settingsAddress(parts.panelFor(response.req, caller.account)),
      hasMail: caller.account.email !== '',
      values,
      problem: failure,
      done,
      now,
    });
    const head = parts.assets.load('weblink');
    const page = { title, at: rootOf(roots, at), roots, main, head, status: problem?.status ?? 200 };
    await showFiles(parts, response, visitor, links, page, isForScript);
  }

  return router;
}

/** Where the owner sets the address on the internet. @param panel null for everyone else */
export function settingsAddress(panel: string | null): string | null {
  return panel === null ? null : `${panel}#/household`;
}

/** A link's visitors may not do what its maker may not do. */
function visitorsIn({ isDir, may }: LinksThere): Visitors[] {
  if (!isDir) return [];
  const can: Record<Visitors, boolean> = {
    look: may.giveDownloads,
    send: may.takeUploads,
    both: may.giveDownloads && may.takeUploads,
  };
  return VISITORS.filter((one) => can[one]);
}

const PROBLEMS = {
  expiry: 'weblinks.problems.expiry',
  download_limit: 'weblinks.problems.limit',
  password: 'weblinks.problems.password',
  download_terms: 'weblinks.problems.terms',
  visitors: 'weblinks.problems.visitors',
} as const;

/** A problem as the page shows it. @throws ApiError for the script, which shows it beside its field */
export function shownProblem(error: ApiError, isForScript: boolean): Problem {
  const problem = problemOf(error);
  if (!isForScript) return problem;
  throw new ApiError(error.code, problem.text, { details: { ...error.details, parameter: problem.parameter } });
}

/** API messages name a parameter; people see the field. */
function problemOf(error: ApiError): Problem {
  const parameter = String(error.details?.parameter ?? '');
  if (!(parameter in PROBLEMS)) return { parameter: null, text: sentenceOf(error) };
  return { parameter, text: t(PROBLEMS[parameter as keyof typeof PROBLEMS]) };
}

const DONE = ['created', 'existing', 'single', 'temporary', 'saved', 'ended'] as const;

export function doneText(done: unknown): string | null {
  const name = DONE.find((one) => one === done);
  return name === undefined ? null : t(`weblinks.done.${name}`);
}
