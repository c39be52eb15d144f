import type { AccountCaller } from '../access/caller.ts';
import { requestDigests } from '../files/upload/content-digest.ts';
import { type Announcement, prepareUpload, type UploadPlan } from '../files/upload/plan.ts';
import { publishUpload } from '../files/upload/publish.ts';
import { ApiError } from '../http/errors.ts';
import type { Preconditions } from '../http/request/preconditions.ts';
import { t } from '../messages/messages.ts';
import { distinguishesForms } from './address.ts';
import { checkIf } from './check-if.ts';
import { statedChecksums, verifyChecksums } from './checksum.ts';
import type { DavCall } from './context.ts';
import { missingFolderAsConflict } from './failure.ts';
import { locateNew } from './locate.ts';
import { programOf } from './program.ts';
import { syncId } from './properties/file-id.ts';
import { rememberChecksum } from './stated-checksums.ts';
import { createdIn, modifiedIn, rememberCreation } from './stated-times.ts';

/** Where the content of a file comes from. */
interface FileSource {
  /** Bytes; null if the client did not state them. */
  readonly bytes: number | null;
  /** The upload whose parts the content consists of. */
  readonly joinedFrom?: string;
  /** Whether a file of that name may be replaced. */
  readonly mayReplace: boolean;
  /** Whether missing folders are created. */
  readonly makesFolders?: boolean;
  /** Passes the content on. */
  readonly send: (plan: UploadPlan) => Promise<void>;
}

/** A file that was stored. */
export interface StoredFile {
  readonly uuid: string;
  /** Whether there was no file of this name before. */
  readonly isNew: boolean;
  /** With its quotes. */
  readonly etag: string;
}

/**
 * Stores a content at the address of a call. The content that it replaces becomes a version. `X-OC-Mtime` and
 * `X-OC-CTime` are its times in seconds, `OC-Checksum` and `Repr-Digest` are compared before the content gets its name.
 * @throws ApiError; nothing is left of a content that has no name then
 */
export async function storeFile(
  call: DavCall,
  { bytes, joinedFrom, mayReplace, makesFolders = false, send }: FileSource,
): Promise<StoredFile> {
  const { context, request } = call;
  const { headers } = request;
  const { caller, conditions: stated, checkAgain } = await checkIf(call);
  const conditions = mayReplace ? stated : onlyNew(stated);
  const [lastModified, created, checksums] = [modifiedIn(headers), createdIn(headers), statedChecksums(headers)];
  // The one that its client prefers.
  const [checksum] = checksums;
  const digests = requestDigests(headers, undefined);
  const announced = { bytes, joinedFrom, conditions, lastModified, digests };
  const { path, plan } = await planFile({ ...call, caller }, announced, makesFolders);
  try {
    await send(plan);
    const { received } = plan;
    if (received?.kind === 'file') await verifyChecksums(received.path, checksums, received.sha256);
    // A content may take long to arrive: a credential that has ended meanwhile no longer counts.
    const sender: AccountCaller = { ...(await call.confirm()), lockTokens: caller.lockTokens };
    const published = await inTermsOfFiles(path.at(-1), () =>
      publishUpload(context.files, sender, plan, { check: checkAgain, program: programOf(sender) }),
    );
    if (!('file' in published)) throw new Error('a whole content is published at once');
    const { file, etag } = published;
    if (created !== undefined) await rememberCreation(context.files.database, file.uuid, created);
    if (checksum !== undefined) await rememberChecksum(context.files.database, { uuid: file.uuid, etag }, checksum);
    return { uuid: file.uuid, isNew: file.created, etag };
  } catch (error) {
    await plan.drop();
    throw error;
  }
}

/** What is known of a content before it comes. */
type AnnouncedFile = Pick<Announcement, 'bytes' | 'joinedFrom' | 'conditions' | 'lastModified' | 'digests'>;

/**
 * Refuses a content that could not be stored at the address of a call.
 * @param makesFolders whether missing folders will be created
 * @returns the virtual path, and the plan
 * @throws ApiError
 */
export async function planFile(
  { context, caller, address }: Pick<DavCall, 'context' | 'caller' | 'address'>,
  announced: AnnouncedFile,
  makesFolders = false,
): Promise<{ readonly path: readonly string[]; readonly plan: UploadPlan }> {
  const path = await missingFolderAsConflict(() => locateNew(context, caller, address.segments));
  // A client that states the tag of a file means that file.
  const isExact = distinguishesForms(address) && (announced.conditions?.ifMatch ?? null) === null;
  const location = makesFolders ? { filePath: path, isExact } : { path, isExact };
  const announcement = { ...announced, location, chunk: null };
  const plan = await inTermsOfFiles(path.at(-1), () => prepareUpload(context.files, caller, announcement));
  return { path, plan };
}

/** Answers with what clients keep of a stored file. */
export function sendStored({ request, response }: Pick<DavCall, 'request' | 'response'>, stored: StoredFile): void {
  response.statusCode = stored.isNew ? 201 : 204;
  response.setHeader('ETag', stored.etag);
  response.setHeader('OC-ETag', stored.etag);
  response.setHeader('OC-FileId', syncId(stored.uuid));
  if (request.headers['x-oc-mtime'] !== undefined) response.setHeader('X-OC-MTime', 'accepted');
  if (request.headers['x-oc-ctime'] !== undefined) response.setHeader('X-OC-CTime', 'accepted');
  response.end();
}

/** Bytes of a body; null if the client did not state them. Finder sends chunks, and states the length in a header of its own. */
export function announcedBytes(headers: DavCall['request']['headers']): number | null {
  if (headers['content-length'] !== undefined) return Number(headers['content-length']);
  const expected = headers['x-expected-entity-length'];
  return typeof expected === 'string' && /^\d{1,15}$/.test(expected) ? Number(expected) : null;
}

function onlyNew(conditions: Preconditions | null): Preconditions {
  return { ...(conditions ?? { ifMatch: null, ifUnmodifiedSince: null }), ifNoneMatch: '*' };
}

/** RFC 4918 §9.7.1, §9.7.2. @param name of the file */
async function inTermsOfFiles<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await missingFolderAsConflict(work);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A name that differs in case only is taken, too, but not by a folder that the address means.
    const isTaken = error.code === 'already_exists' && error.details?.filename === name;
    if (isTaken || error.code === 'invalid_path')
      throw new ApiError('method_not_allowed', t('api.webdav.notAFolder'), { cause: error });
    throw error;
  }
}
