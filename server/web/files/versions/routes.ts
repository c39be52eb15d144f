import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import { rightsOf } from '../../../access/caller.ts';
import { isPermitted } from '../../../access/rights.ts';
import { readText } from '../../../files/download/read-text.ts';
import { deleteVersion, restoreVersion, type Version, versionsAt } from '../../../files/versions/versions.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { oneOf, versionNumber, virtualPath } from '../../../http/request/parameters.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import type { Html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import { formOf } from '../../shell/browser-session.ts';
import { isShownAsText } from '../../viewer/kinds.ts';
import { abilitiesIn, actionsFor } from '../abilities.ts';
import { sentenceOf } from '../actions.ts';
import { breadcrumbsOf, findItem, type NamedPath, type Row, rootsFor } from '../context.ts';
import { preview } from '../details/preview.ts';
import { rootOf, showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { comparisonMain } from './comparison-page.ts';
import { type VersionRights, versionsMain } from './page.ts';

const FORM_ACTIONS = { restore: 'restored', delete: 'deleted' } as const;
type Done = (typeof FORM_ACTIONS)[keyof typeof FORM_ACTIONS];

const requested = z.object({ path: virtualPath(), version: versionNumber().optional() });
const compared = z.object({ path: virtualPath(), version: versionNumber() });
const changed = compared.extend({ do: oneOf(Object.keys(FORM_ACTIONS) as (keyof typeof FORM_ACTIONS)[]) });

/** The versions of a file and two of them side by side; they use the services of files/versions. */
export function versionPages(asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });

  router.get(
    '/files/versions',
    asFiles(async (_request, response, pageRequest) => {
      const { path, version } = checkParameters(requested, pageRequest.query);
      const done = Object.values(FORM_ACTIONS).find((one) => one === pageRequest.query.done) ?? null;
      await showVersions(response, pageRequest, { path, version, done });
    }),
  );

  router.post(
    '/files/versions',
    asFiles(async (request, response, pageRequest) => {
      const fields = await formOf(request, response, pageRequest.visitor);
      const { path, version, do: formAction } = checkParameters(changed, fields);
      const { parts, caller, links } = pageRequest;
      try {
        if (formAction === 'restore') await restoreVersion(parts.files, caller, path, version);
        else await deleteVersion(parts.files, caller, path, version);
        response.redirect(303, `${links.versions(`/${path.join('/')}`)}&done=${FORM_ACTIONS[formAction]}`);
      } catch (error) {
        if (!(error instanceof ApiError) || pageRequest.isForScript) throw error;
        // The version itself may be the one that is gone.
        await showVersions(response, pageRequest, { path, problem: error });
      }
    }),
  );

  router.get(
    '/files/versions/compare',
    asFiles(async (_request, response, pageRequest) => {
      const { path, version } = checkParameters(compared, pageRequest.query);
      await showComparison(response, pageRequest, path, version);
    }),
  );

  return router;
}

interface Found {
  readonly row: Row;
  readonly roots: readonly NamedPath[];
  readonly breadcrumbs: readonly NamedPath[];
  readonly versions: readonly Version[];
  readonly isShared: boolean;
  readonly rights: VersionRights;
}

/** @throws ApiError `permission_denied`, `not_found`, `invalid_path` for a folder */
async function find({ parts, caller }: PageRequest, path: readonly string[]): Promise<Found> {
  const target = await parts.files.access.resolveItem(caller, path, 'files/versions/list');
  const versions = await versionsAt(parts.files, caller, target);
  const [roots, { row, list }] = await Promise.all([
    rootsFor(parts, caller),
    findItem(parts, caller, `/${path.join('/')}`, null),
  ]);
  const { share } = target;
  const breadcrumbs = await breadcrumbsOf(parts, caller, roots, list.meta);
  const may = (action: 'files/versions/restore' | 'files/versions/delete') =>
    isPermitted(rightsOf(caller), share, action);
  const abilities = abilitiesIn(caller.account, list.meta, list.reshare);
  const rights = {
    restore: may('files/versions/restore'),
    delete: may('files/versions/delete'),
    replace: actionsFor(abilities, row).includes('replace'),
  };
  return { row, roots, breadcrumbs, versions, isShared: share !== null, rights };
}

/** @throws ApiError `not_found` */
function numbered(
  versions: readonly Version[],
  requestedNumber: number | undefined,
): [present: Version, shown: Version] {
  const [present] = versions;
  const shown = requestedNumber === undefined ? present : versions.find(({ version }) => version === requestedNumber);
  if (present === undefined || shown === undefined) throw new ApiError('not_found', t('api.versions.notFound'));
  return [present, shown];
}

interface Wanted {
  readonly path: readonly string[];
  readonly version?: number | undefined;
  readonly done?: Done | null;
  readonly problem?: ApiError | null;
}

async function showVersions(
  response: Response,
  pageRequest: PageRequest,
  { path, version, done = null, problem = null }: Wanted,
): Promise<void> {
  const { parts, caller, links, visitor } = pageRequest;
  const found = await find(pageRequest, path);
  const { row, versions } = found;
  const [present, shown] = numbered(versions, version);
  const isPresent = shown === present;
  // Pictures of earlier versions are not stored, only those of the present content.
  const looked = isPresent ? row : { ...row, hasThumbnail: false, size: shown.size };
  const main = versionsMain({
    ...found,
    links,
    shown,
    preview: await preview(parts, caller, looked, links, isPresent ? null : shown.version),
    isComparable: isShownAsText(row.name, row.type) && !isPresent,
    limits: parts.files.settings.values,
    formToken: visitor.formToken,
    now: parts.clock.now(),
    icons: `${parts.basePath}/icons`,
    assets: parts.assets,
    done,
    problem: problem && sentenceOf(problem),
  });
  const title = t('versions.title', { name: bidiIsolate(row.name) });
  await send(response, pageRequest, found, { title, main, status: problem?.status ?? 200 });
}

async function showComparison(
  response: Response,
  pageRequest: PageRequest,
  path: readonly string[],
  version: number,
): Promise<void> {
  const { parts, caller, links, visitor } = pageRequest;
  const found = await find(pageRequest, path);
  const { row, breadcrumbs, rights } = found;
  const [present, earlier] = numbered(found.versions, version);
  const read = async (number?: number) => {
    const { text, cutAt } = await readText(parts.files, caller, path, { name: row.name, version: number });
    return { text, isWhole: cutAt === null };
  };
  const [before, now] = isShownAsText(row.name, row.type)
    ? await Promise.all([read(earlier === present ? undefined : version), read()])
    : [null, null];
  const main = comparisonMain({
    links,
    row,
    breadcrumbs,
    earlier,
    present,
    before,
    after: now,
    mayRestore: rights.restore && earlier !== present,
    formToken: visitor.formToken,
    now: parts.clock.now(),
    assets: parts.assets,
  });
  await send(response, pageRequest, found, {
    title: t('versions.comparison.title', { name: bidiIsolate(row.name) }),
    main,
  });
}

async function send(
  response: Response,
  { parts, visitor, links, isForScript }: PageRequest,
  { roots, row }: Found,
  page: { title: string; main: Html; status?: number },
): Promise<void> {
  await showFiles(parts, response, visitor, links, { at: rootOf(roots, row.path), roots, ...page }, isForScript);
}
