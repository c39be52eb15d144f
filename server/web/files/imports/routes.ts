import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import { HOME_BASE } from '../../../access/access.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { text, textList, uuid } from '../../../http/request/parameters.ts';
import {
  addImport,
  cancelImport,
  isOpen,
  MAX_ARCHIVES,
  ownImport,
  ownImports,
  resumeImport,
} from '../../../imports/change-imports.ts';
import { isNamedAsExport, missingParts } from '../../../imports/exports/missing-parts.ts';
import { DEFAULT_TARGET } from '../../../imports/operations.ts';
import { nameSortKey } from '../../../lib/names/names.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { search } from '../../../listing/search.ts';
import { t } from '../../../messages/messages.ts';
import { formOf, listFormOf } from '../../shell/browser-session.ts';
import { sentenceOf } from '../actions.ts';
import { type NamedPath, NO_ADDRESS, ROW_DETAILS, type Row, rootsFor, segmentsOf, starsOf } from '../context.ts';
import { showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import { rowsOf } from '../rows-of.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { canImport, importMain, importsMain } from './page.ts';

/** Notes that the page of an import has. */
const MAX_NOTES = 2_000;
/** Seconds after which a page without script is loaded again. */
const REFRESH = 5;
const PHOTOS = '/PHOTOS';

const named = z.object({ import: uuid() });
const started = z.object({
  archives: textList().optional(),
  target: text().default(''),
  folder_albums: text().default(''),
  incomplete: text().default(''),
});

/** Left-out files that are named beside the advice to delete the archives. */
const MAX_LEFT_OUT = 3;

/** Parts that are named. */
const MAX_NAMED = 5;

interface Entered {
  readonly archives: readonly string[];
  readonly target: string;
  readonly folderAlbums: boolean;
  readonly problem: ApiError | string | null;
  readonly missing?: number;
}

/** The pages of imports, and the forms that start, cancel and resume them. */
export function importPages(asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });

  router.get(
    '/files/imports',
    asFiles(async (_request, response, pageRequest) => showImports(response, pageRequest, null)),
  );

  router.get(
    '/files/import',
    asFiles(async (_request, response, pageRequest) => {
      const { parts, caller, links, visitor, query } = pageRequest;
      const { imports } = parts.importsContext;
      const record = await ownImport(
        parts.importsContext,
        caller,
        checkParameters(named, query).import,
        'imports/item',
      );
      const [archives, { total, notes }, leftOut] = await Promise.all([
        imports.archives(record.id),
        imports.notes(record.id, 0, MAX_NOTES),
        imports.leftOut(record.id, MAX_LEFT_OUT),
      ]);
      const refresh = isOpen(record)
        ? html`<noscript><meta http-equiv="refresh" content="${REFRESH}"></noscript>`
        : html``;
      await show(response, pageRequest, t(`imports.state.${record.state}`), (photos) => ({
        main: importMain({
          ...{ links, photos, record, notes, archives, leftOut, notesTotal: total },
          formToken: visitor.formToken,
        }),
        head: html`${refresh}${parts.assets.load('importStyles')}`,
      }));
    }),
  );

  router.post(
    '/files/imports/add',
    asFiles(async (request, response, pageRequest) => {
      const { parts, caller, links } = pageRequest;
      const fields = await listFormOf(request, response, pageRequest.visitor);
      const { archives = [], target, folder_albums: isChecked, incomplete } = checkParameters(started, fields);
      const folderAlbums = isChecked !== '';
      const entered = { archives, target, folderAlbums };
      if (archives.length === 0 || archives.length > MAX_ARCHIVES) {
        await showImports(response, pageRequest, { ...entered, problem: t('imports.archives.missing') });
        return;
      }
      const missing = incomplete === '' ? await missingFrom(pageRequest, archives) : [];
      if (missing.length > 0) {
        const problem = t('imports.archives.incomplete', { count: missing.length, parts: listOf(missing) });
        await showImports(response, pageRequest, { ...entered, problem, missing: missing.length });
        return;
      }
      try {
        const names = archives.map((name) => checkParameters(z.object({ uuid: uuid() }), { uuid: name }));
        const record = await addImport(parts.importsContext, caller, names, targetPath(target), { folderAlbums });
        response.redirect(303, links.importReport(record.uuid));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await showImports(response, pageRequest, { ...entered, problem: error });
      }
    }),
  );

  for (const [name, change] of [
    ['cancel', cancelImport],
    ['resume', resumeImport],
  ] as const) {
    router.post(
      `/files/imports/${name}`,
      asFiles(async (request, response, pageRequest) => {
        const { parts, caller, links } = pageRequest;
        const fields = await formOf(request, response, pageRequest.visitor);
        const { import: requested } = checkParameters(named, fields);
        // An import may have ended since the page was sent: the page says so.
        await change(parts.importsContext, caller, requested).catch((error: unknown) => {
          if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
        });
        response.redirect(303, links.importReport(requested));
      }),
    );
  }

  return router;
}

/** @param target as it was entered: names below the home */
function targetPath(target: string): string[] {
  return [...segmentsOf(HOME_BASE), ...segmentsOf(target.trim())];
}

async function showImports(response: Response, pageRequest: PageRequest, entered: Entered | null): Promise<void> {
  const { parts, caller, links, visitor } = pageRequest;
  if (!canImport(caller.account)) throw new ApiError('permission_denied', t('files.errors.noPermission'));
  const [archives, imports] = await Promise.all([archivesOf(pageRequest), ownImports(parts.importsContext, caller)]);
  // Those of an export are selected at first.
  const usual = imports.length > 0 ? [] : archives.filter(({ name }) => isNamedAsExport(name));
  const selected = new Set(entered?.archives ?? usual.flatMap((row) => row.uuid ?? []));
  const problem = entered?.problem ?? null;
  await show(
    response,
    pageRequest,
    t('imports.heading'),
    (photos) => ({
      main: importsMain({
        ...{ links, photos, archives, selected, imports, formToken: visitor.formToken },
        target: entered?.target ?? DEFAULT_TARGET.slice(2).join('/'),
        folderAlbums: entered?.folderAlbums ?? false,
        problem: problem instanceof ApiError ? sentenceOf(problem) : problem,
        missing: entered?.missing ?? 0,
      }),
      head: parts.assets.load('importStyles'),
    }),
    problem === null ? 200 : problem instanceof ApiError ? problem.status : 400,
  );
}

/** The parts of exports that are not among selected archives. */
async function missingFrom(pageRequest: PageRequest, selected: readonly string[]): Promise<string[]> {
  const chosen = new Set(selected);
  const archives = await archivesOf(pageRequest);
  return missingParts(archives.filter(({ uuid: name }) => name !== null && chosen.has(name)).map(({ name }) => name));
}

function listOf(names: readonly string[]): string {
  const parts = names.slice(0, MAX_NAMED).map(bidiIsolate).join(', ');
  return names.length <= MAX_NAMED ? parts : t('imports.archives.more', { parts, count: names.length - MAX_NAMED });
}

/** The ZIP files of the home, as far as their names say so: those of exports first, then by their names. */
async function archivesOf({ parts, caller }: PageRequest): Promise<Row[]> {
  const { files } = await search(parts.listing, caller, segmentsOf(HOME_BASE), {
    filename: 'zip',
    details: ROW_DETAILS,
    address: NO_ADDRESS,
    limit: MAX_ARCHIVES,
    fits:
      async () =>
      ({ name, isDir }) =>
        !isDir && name.toLowerCase().endsWith('.zip'),
  });
  const rows = await rowsOf(parts, caller, files, { starred: await starsOf(parts, caller), deleted: new Map() });
  const key = ({ name, path }: Row) => `${isNamedAsExport(name) ? 0 : 1} ${nameSortKey(name)} ${path}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function show(
  response: Response,
  { parts, links, visitor, caller, isForScript }: PageRequest,
  title: string,
  page: (photos: NamedPath) => { main: Html; head: Html },
  status = 200,
): Promise<void> {
  const roots = await rootsFor(parts, caller);
  const photos = roots.find(({ path }) => path === PHOTOS) ?? { name: t('photoBackup.folder'), path: PHOTOS };
  await showFiles(parts, response, visitor, links, { title, at: PHOTOS, roots, status, ...page(photos) }, isForScript);
}
