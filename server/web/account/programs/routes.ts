import express, { type Request, type Response, type Router } from 'express';
import { HOME_BASE } from '../../../access/access.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import { ApiError } from '../../../http/errors.ts';
import { virtualPath } from '../../../http/request/parameters.ts';
import { parseDatetime } from '../../../lib/datetime.ts';
import { actorOf } from '../../../lib/events.ts';
import { t } from '../../../messages/messages.ts';
import {
  AppPasswordProblem,
  folderOf,
  type PlannedAppPassword,
  planAppPassword,
} from '../../../people/app-passwords.ts';
import { formForSignedIn, forSignedIn, originOf, type ShowSignIn, type SignedIn } from '../../shell/page-context.ts';
import { type AccountPagesParts, showAccountPage } from '../context.ts';
import { callerOf, createConfirmed, isGuest } from './create-confirmed.ts';
import { type Entered, type ListedPassword, madePage, programsPage } from './page.ts';
import { type DavAddress, opensPage, PROGRAM_NAMES, programIn } from './programs.ts';

/** Connecting other programs, and app passwords. */
export function programPages(parts: AccountPagesParts, showSignIn: ShowSignIn): Router {
  const { basePath, clock, appPasswordsContext, loginFlows, allowsPrograms } = parts;
  const { appPasswords } = appPasswordsContext;
  const base = `${basePath}/account/`;
  const router = express.Router({ caseSensitive: true });

  async function show(
    request: Request,
    response: Response,
    visitor: SignedIn,
    shown: { program: string | null | undefined; entered?: Entered; done?: string; status?: number },
  ): Promise<void> {
    const { program, entered = null, done = '', status = 200 } = shown;
    const names = PROGRAM_NAMES.filter((name) => !opensPage(name) || loginFlows.isEnabled());
    const inner = programsPage({
      names,
      isAllowed: allowsPrograms(),
      panel: parts.panelFor(request, visitor.session.account),
      ...{ base, visitor, entered, address: addressFor(request, basePath), now: clock.now() },
      trust: `${basePath}/trust`,
      program: names.find((name) => name === program) ?? 'windows',
      passwords: await listed(request, visitor),
    });
    const title = t('programs.heading');
    showAccountPage(parts, response, visitor, { title, at: 'programs', inner, done, status, script: 'copy' });
  }

  async function listed(request: Request, visitor: SignedIn): Promise<ListedPassword[]> {
    const caller = callerOf(request, visitor);
    const passwords = await appPasswords.list(caller.account.id);
    return Promise.all(
      passwords.map(async (one) => ({
        ...one,
        folder:
          one.rootUuid === null ? undefined : shownPath(await folderOf(appPasswordsContext, caller, one.rootUuid)),
      })),
    );
  }

  router.get(
    '/account/programs',
    forSignedIn(parts, showSignIn, async (request, response, visitor) => {
      if (isGuest(visitor)) return response.redirect(303, base);
      const query = new URLSearchParams(request.originalUrl.split('?')[1]);
      await show(request, response, visitor, { program: query.get('program'), done: query.get('done') ?? '' });
    }),
  );

  router.post(
    '/account/programs/create',
    formForSignedIn(parts, showSignIn, async (request, response, visitor, fields) => {
      if (isGuest(visitor)) return response.redirect(303, base);
      const { account } = visitor.session;
      const { program, label = '', folder = '', expires = '' } = fields;
      const isReadOnly = fields.read_only === '1';
      const again = (problems: Readonly<Record<string, string>>, status = 422) =>
        show(request, response, visitor, {
          program,
          entered: { label, isReadOnly, folder, expires, problems },
          status,
        });
      const caller = callerOf(request, visitor);
      // Before the code is used, because each works only once.
      const planned = await plan({ program, label, folder, expires, isReadOnly }, caller);
      if ('problems' in planned) return again(planned.problems);
      const made = await createConfirmed(parts, request, visitor, planned, fields);
      if ('problems' in made) return again(made.problems, made.status);
      const inner = madePage({
        ...{ base, label: planned.label, password: made.password, username: account.username },
        program: programIn(program) ?? 'other',
        address: addressFor(request, basePath, planned.grant.rootUuid !== null),
      });
      const title = t('programs.made.heading', { label: planned.label });
      showAccountPage(parts, response, visitor, { title, at: 'programs', inner, script: 'copy' });
    }),
  );

  router.post(
    '/account/programs/revoke',
    formForSignedIn(parts, showSignIn, async (request, response, { session }, { id = '' }) => {
      const { account } = session;
      if (/^\d{1,15}$/.test(id)) {
        await appPasswords.remove(account, Number(id), actorOf(originOf(request), account));
      }
      response.redirect(303, `${base}programs?done=appPassword#app-passwords`);
    }),
  );

  // Reloading the reply to a form leads back to the page of the form.
  router.get(['/account/programs/create', '/account/programs/revoke'], (_request, response) =>
    response.redirect(303, `${base}programs`),
  );

  /** What was entered as an app password, or why it is not possible. */
  async function plan(
    entered: Omit<Entered, 'problems'> & { program: string | undefined },
    caller: AccountCaller,
  ): Promise<PlannedAppPassword | { readonly problems: Record<string, string> }> {
    const { label, isReadOnly, program } = entered;
    const folder = folderIn(entered.folder);
    if (folder === 'invalid') return { problems: { folder: t('programs.create.folderProblem') } };
    const expires = entered.expires.trim();
    const expiresAt = expires === '' ? null : parseDatetime(expires);
    if (expires !== '' && expiresAt === null) return { problems: { expires: t('programs.create.expiresProblem') } };
    try {
      const requested = {
        label,
        isReadOnly,
        folder,
        expiresAt,
        scopes: null,
        mayShare: false,
        program: programIn(program),
      };
      return await planAppPassword(appPasswordsContext, caller, requested);
    } catch (error) {
      if (error instanceof AppPasswordProblem) return { problems: { [error.field]: error.message } };
      if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_path')) {
        return { problems: { folder: t('programs.create.folderProblem') } };
      }
      throw error;
    }
  }

  return router;
}

/** The folder of the person's own files, by the name that it has in WebDAV. */
const MY_FILES = 'My%20files/';

/**
 * The pages are only on HTTPS, behind a proxy too.
 * @param isLimited whether an app password is limited to a folder, which then is all that the program sees
 */
function addressFor(request: Request, basePath: string, isLimited = false): DavAddress {
  const path = `${basePath}/dav/`;
  const host = request.headers.host ?? '';
  return { host, path, files: isLimited ? path : `${path}${MY_FILES}`, server: `https://${host}${basePath}` };
}

/** A path in the person's files, or one from the address of a folder's page. */
function folderIn(text: string): readonly string[] | null | 'invalid' {
  const written = text.trim();
  if (written === '') return null;
  const path = written.startsWith('/ROOT/') ? written : `${HOME_BASE}/${written}`;
  const parsed = virtualPath().safeParse(path);
  return parsed.success ? parsed.data : 'invalid';
}

/** As the person entered it. */
function shownPath(path: string | null): string | null {
  if (path === HOME_BASE) return '/';
  return path?.startsWith(`${HOME_BASE}/`) ? path.slice(HOME_BASE.length) : path;
}
