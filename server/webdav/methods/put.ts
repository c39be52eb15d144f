import type { AccountCaller } from '../../access/caller.ts';
import { requestDigests } from '../../files/upload/content-digest.ts';
import { prepareUpload } from '../../files/upload/plan.ts';
import { publishUpload } from '../../files/upload/publish.ts';
import { bodyTimeout } from '../../http/connection/timeouts.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { acceptBody } from '../../http/request/read-parameters.ts';
import { t } from '../../messages/messages.ts';
import { checksumOf, verifyChecksum } from '../checksum.ts';
import { checkIf } from '../conditions.ts';
import type { DavCall } from '../context.ts';
import { missingFolderAsConflict } from '../failure.ts';
import { locateNew } from '../locate.ts';
import { syncId } from '../properties/live.ts';
import { rememberChecksum } from '../stated-checksums.ts';

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

/**
 * RFC 4918 §9.7: stores the body as a file. The content that it replaces becomes a version. `X-OC-Mtime` is the modification time
 * in seconds, `OC-Checksum` and `Repr-Digest` are compared before the content gets its name.
 */
export async function put(call: DavCall): Promise<void> {
  const { context, request, response } = call;
  const { headers } = request;
  if (headers['content-range'] !== undefined) {
    throw invalidParameter('Content-Range', t('api.uploads.contentRange'));
  }
  const { caller, conditions, checkAgain } = await checkIf(call);
  const path = await missingFolderAsConflict(() => locateNew(context, caller, call.address.segments));
  const [lastModified, checksum] = [modifiedIn(request.headers), checksumOf(headers)];
  const { digest, contentDigest } = requestDigests(headers, undefined);
  const location = { path };
  const bytes = announcedBytes(headers);
  const plan = await notOnFolder(path.at(-1), () =>
    missingFolderAsConflict(() =>
      prepareUpload(context.files, caller, { location, bytes, chunk: null, conditions, lastModified }),
    ),
  );
  try {
    acceptBody(request, response);
    const stop = bodyTimeout(request, response, { total: undefined });
    await plan.receive(request).finally(stop);
    const { received } = plan;
    if (received?.kind === 'file' && checksum !== null) await verifyChecksum(received.path, checksum, received.sha256);
    // A body may take long to arrive: a credential that has ended meanwhile no longer counts.
    const sender: AccountCaller = { ...(await call.confirm()), lockTokens: caller.lockTokens };
    const published = await notOnFolder(path.at(-1), () =>
      missingFolderAsConflict(() =>
        publishUpload(context.files, sender, plan, {
          location,
          lastModified,
          digests: [digest, contentDigest],
          conditions,
          check: checkAgain,
        }),
      ),
    );
    if (!('file' in published)) throw new Error('a whole content is published at once');
    if (checksum !== null) await rememberChecksum(context.files.database, published.file.uuid, checksum);
    response.statusCode = published.file.created ? 201 : 204;
    response.setHeader('ETag', published.etag);
    response.setHeader('OC-ETag', published.etag);
    response.setHeader('OC-FileId', syncId(published.file.uuid));
    if (headers['x-oc-mtime'] !== undefined) response.setHeader('X-OC-MTime', 'accepted');
    response.end();
  } catch (error) {
    await plan.drop();
    throw error;
  }
}

/** Bytes; null if the client did not state them. Finder sends chunks, and states the length in a header of its own. */
function announcedBytes(headers: DavCall['request']['headers']): number | null {
  if (headers['content-length'] !== undefined) return Number(headers['content-length']);
  const expected = headers['x-expected-entity-length'];
  return typeof expected === 'string' && /^\d{1,15}$/.test(expected) ? Number(expected) : null;
}

/** @throws ApiError `invalid_parameter` */
function modifiedIn(headers: DavCall['request']['headers']): number | undefined {
  const header = headers['x-oc-mtime'];
  if (typeof header !== 'string') return undefined;
  const seconds = /^\s*\d{1,12}(?:\.\d+)?\s*$/.test(header) ? Math.floor(Number(header)) : Number.NaN;
  if (seconds >= 0 && seconds <= LATEST) return seconds;
  throw invalidParameter('X-OC-Mtime', t('api.parameters.datetime', { parameter: 'X-OC-Mtime' }));
}

/** RFC 4918 §9.7.2. */
async function notOnFolder<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A name that differs in case only is taken, too, but not by a folder that the address means.
    const isTaken = error.code === 'already_exists' && error.details?.filename === name;
    if (isTaken || error.code === 'invalid_path')
      throw new ApiError('method_not_allowed', t('api.webdav.notAFolder'), { cause: error });
    throw error;
  }
}
