import express, { type Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { records, virtualPath } from '../../../http/request/parameters.ts';
import { sendJson } from '../../../http/response/envelope.ts';
import { allowedName } from '../../../lib/names/allowed-name.ts';
import { foldName } from '../../../lib/names/names.ts';
import { numberedName } from '../../../lib/names/numbered-name.ts';
import { knownFileSchema, MAX_KNOWN, missingOf } from '../../../listing/known.ts';
import { receiptFor } from '../../../listing/receipt.ts';
import { t } from '../../../messages/messages.ts';
import { listFormOf } from '../../shell/browser-session.ts';
import { namesIn, orNotThere, rootsFor } from '../context.ts';
import { showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { canBackUpPhotos, photoBackupMain } from './page.ts';

const asked = z.object({ path: virtualPath(), items: records(knownFileSchema, MAX_KNOWN) });
const newFileSchema = z.strictObject({
  name: z.string().max(1_000),
  /** Those with the same key get the same number: a photo and its film are found by their name. */
  key: z.int().min(0).optional(),
});
type NewFile = z.output<typeof newFileSchema>;
const named = z.object({ path: virtualPath(), items: records(newFileSchema, MAX_KNOWN) });

type Fields = Readonly<Record<string, unknown>>;

/** The questions of the script. The first two are those of the API. */
const QUESTIONS: Record<string, (pageRequest: PageRequest, fields: Fields) => Promise<object>> = {
  async missing({ parts, caller }, fields) {
    const { path, items } = checkParameters(asked, fields);
    return { missing: await missingOf(parts.listing, caller, { path }, items) };
  },
  async receipt({ parts, caller }, fields) {
    const { path, items } = checkParameters(asked, fields);
    return { items: await receiptFor(parts.listing, caller, { path }, items) };
  },
  /** Names that new files may have, and that are free in a folder, which may not exist yet. */
  async names(pageRequest, fields) {
    const { path, items } = checkParameters(named, fields);
    return { names: await freeNames(pageRequest, path, items) };
  },
};

/** The page that backs up the photos of a phone, and what its script asks. */
export function photoBackupPages(asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });

  router.get(
    '/files/photo-backup',
    asFiles(async (_request, response, { parts, links, visitor, caller, isForScript }) => {
      if (!canBackUpPhotos(caller.account)) throw new ApiError('permission_denied', t('files.errors.noPermission'));
      const roots = await rootsFor(parts, caller);
      const photos = roots.find(({ path }) => path === '/PHOTOS')?.name ?? t('photoBackup.folder');
      const main = photoBackupMain(links, photos, parts.householdName());
      const title = t('photoBackup.entry');
      const head = parts.assets.load('photoBackupStyles', 'photoBackup');
      await showFiles(parts, response, visitor, links, { title, at: '/PHOTOS', roots, main, head }, isForScript);
    }),
  );

  router.post(
    '/files/photo-backup/:question',
    asFiles(async (request, response, pageRequest) => {
      const question = String(request.params.question ?? '');
      const fields = await listFormOf(request, response, pageRequest.visitor);
      const answer = Object.hasOwn(QUESTIONS, question) ? QUESTIONS[question] : undefined;
      if (answer === undefined) throw new ApiError('not_found', t('api.requests.unknownAddress'));
      const data = await answer(pageRequest, fields);
      sendJson(response, 200, { success: true, error: false, data });
    }),
  );

  return router;
}

async function freeNames(
  { parts, caller }: PageRequest,
  path: readonly string[],
  items: readonly NewFile[],
): Promise<string[]> {
  const there = (await orNotThere(namesIn(parts, caller, path))) ?? [];
  const taken = new Set(there.map(foldName));
  // Where the search for each name begins: phones give the same name to many photos.
  const next = new Map<string, number>();
  const found = new Map<NewFile, string>();
  for (const group of groupsIn(items)) {
    const names = group.map(({ name }) => allowedName(name));
    const keys = names.map(foldName);
    for (let attempt = Math.max(...keys.map((key) => next.get(key) ?? 1)); ; attempt += 1) {
      const free = names.map((name) => numberedName(name, attempt, false));
      if (free.some((name) => taken.has(foldName(name)))) continue;
      for (const name of free) taken.add(foldName(name));
      for (const key of keys) next.set(key, attempt + 1);
      for (const [index, item] of group.entries()) found.set(item, free[index] ?? '');
      break;
    }
  }
  return items.map((item) => found.get(item) ?? '');
}

/** A photo, what the camera made of it, and its film; each further one makes the search for a number longer. */
const MAX_GROUP = 10;

/** Files that get the same number. One of a name that its group has already is by itself, as no number suits both. */
function groupsIn(items: readonly NewFile[]): Iterable<readonly NewFile[]> {
  const groups = new Map<number | NewFile, NewFile[]>();
  const names = new Set<string>();
  for (const item of items) {
    const full = `${item.key} ${foldName(allowedName(item.name))}`;
    const isFull = item.key !== undefined && (groups.get(item.key)?.length ?? 0) >= MAX_GROUP;
    const key = item.key === undefined || isFull || names.has(full) ? item : item.key;
    names.add(full);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups.values();
}
