import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import type { AccountCaller } from '../../../access/caller.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { oneOf, virtualPath } from '../../../http/request/parameters.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { LOCALE } from '../../../messages/catalogue.ts';
import { t } from '../../../messages/messages.ts';
import type { SharingContext } from '../../../sharing/context.ts';
import { type Invited, renewGuestLink } from '../../../sharing/guests.ts';
import { guestLinkPath } from '../../../sharing/notices.ts';
import { recipientsFor } from '../../../sharing/recipients.ts';
import { shareItem } from '../../../sharing/share.ts';
import { sharesOf } from '../../../sharing/shares-of.ts';
import { unshareItem } from '../../../sharing/unshare.ts';
import { formOf } from '../../shell/browser-session.ts';
import { sentenceOf } from '../actions.ts';
import { findItem, rootsFor } from '../context.ts';
import { rootOf, showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import { recipientIn, rightsIn } from './entered.ts';
import { type ShownLink, sharePage } from './page.ts';

/** Wraps a file page: for signed-in people, with their parameters. */
export type AsFiles = (
  take: (request: Request, response: Response, pageRequest: PageRequest) => Promise<void>,
) => express.RequestHandler;

interface Shown {
  readonly link?: ShownLink | null;
  readonly values?: Readonly<Record<string, string>>;
  readonly problem?: ApiError | null;
  readonly done?: string | null;
}

const FORM_ACTIONS = ['share', 'change', 'stop', 'invite', 'link'] as const;

/** The page of an item's recipients and its forms; they use the services of files/share. */
export function sharePages(sharing: SharingContext, asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });
  const requested = z.object({ path: virtualPath() });

  router.get(
    '/files/share',
    asFiles(async (_request, response, pageRequest) => {
      const { path } = checkParameters(requested, pageRequest.query);
      await show(response, pageRequest, path, { done: doneText(pageRequest.query.done) });
    }),
  );

  router.post(
    '/files/share',
    asFiles(async (request, response, pageRequest) => {
      const fields = await formOf(request, response, pageRequest.visitor);
      const { path, do: formAction } = checkParameters(requested.extend({ do: oneOf(FORM_ACTIONS) }), fields);
      try {
        const { done, invited, isMailed } = await perform(pageRequest.caller, path, formAction, fields);
        const link = invited === null ? null : shownLink(request, pageRequest, invited, isMailed);
        if (link !== null || pageRequest.isForScript)
          return await show(response, pageRequest, path, { link, done: doneText(done) });
        response.redirect(303, `${pageRequest.links.share(`/${path.join('/')}`)}&done=${done}`);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const values = formAction === 'share' || formAction === 'invite' ? fields : {};
        await show(response, pageRequest, path, { values, problem: error });
      }
    }),
  );

  interface Done {
    readonly done: string;
    readonly invited: Invited | null;
    readonly isMailed: boolean;
  }

  async function perform(
    caller: AccountCaller,
    path: readonly string[],
    formAction: (typeof FORM_ACTIONS)[number],
    fields: Readonly<Record<string, string>>,
  ): Promise<Done> {
    if (formAction === 'invite') {
      const { name = '', email = '' } = fields;
      const { guest, isMailed } = await shareItem(sharing, caller, path, { name, email, ...rightsIn(fields) });
      return { done: 'shared', invited: guest, isMailed };
    }
    const to = recipientIn(fields);
    if (formAction === 'stop') {
      await unshareItem(sharing, caller, path, to);
      return { done: 'stopped', invited: null, isMailed: false };
    }
    if (formAction === 'link') {
      return { done: '', invited: await renewGuestLink(sharing, caller.account, caller, to.uid ?? 0), isMailed: false };
    }
    await shareItem(sharing, caller, path, { ...to, ...rightsIn(fields) });
    return { done: formAction === 'share' ? 'shared' : 'changed', invited: null, isMailed: false };
  }

  async function show(
    response: Response,
    pageRequest: PageRequest,
    path: readonly string[],
    { link = null, values = {}, problem = null, done = null }: Shown,
  ): Promise<void> {
    const { parts, links, caller, visitor, isForScript } = pageRequest;
    const at = `/${path.join('/')}`;
    const [roots, { row }, shares] = await Promise.all([
      rootsFor(parts, caller),
      findItem(parts, caller, at, null),
      sharesOf(sharing, caller, path),
    ]);
    const { permissions } = caller.account;
    const main = sharePage({
      action: `${links.base}/share`,
      back: links.item(at),
      formToken: visitor.formToken,
      row,
      shares,
      recipients: await recipientsFor(sharing, caller.account),
      mayInvite: permissions.share_guests,
      link,
      values,
      problem: problem && problemText(problem),
      done,
    });
    const title = t('sharing.heading', { name: bidiIsolate(row.name) });
    const head = parts.assets.load('share');
    // The script shows the problem beside its field.
    if (problem !== null && isForScript) throw new ApiError(problem.code, problemText(problem));
    const page = { title, at: rootOf(roots, at), roots, main, head, status: problem?.status ?? 200 };
    await showFiles(parts, response, visitor, links, page, isForScript);
  }

  return router;
}

const PROBLEMS = {
  email: 'sharing.problems.email',
  name: 'sharing.problems.name',
  alias: 'sharing.problems.alias',
} as const;

/** API messages name a parameter first; people see the field. */
function problemText(problem: ApiError): string {
  const parameter = String(problem.details?.parameter ?? '');
  return parameter in PROBLEMS ? t(PROBLEMS[parameter as keyof typeof PROBLEMS]) : sentenceOf(problem);
}

function shownLink(
  request: Request,
  { parts }: PageRequest,
  { account, link }: Invited,
  isMailed: boolean,
): ShownLink | null {
  if (link === null) return null;
  return {
    name: account.name,
    email: account.email,
    address: `${parts.linkPlace(request).address}${guestLinkPath(link.token)}`,
    until: new Date(link.expiresAt).toLocaleDateString(LOCALE, { day: 'numeric', month: 'long', year: 'numeric' }),
    isMailed,
  };
}

const DONE = ['shared', 'changed', 'stopped'] as const;

function doneText(done: unknown): string | null {
  const name = DONE.find((one) => one === done);
  return name === undefined ? null : t(`sharing.done.${name}`);
}
