import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { invalidParameter } from '../../http/errors.ts';
import { operationsFor, WithStatus } from '../../http/operation.ts';
import { CONDITION_HEADERS, preconditionsOf } from '../../http/request/preconditions.ts';
import { queryParameters } from '../../http/request/read-parameters.ts';
import { t } from '../../messages/messages.ts';
import type { Principal } from '../../oauth/bearer.ts';
import type { Scope } from '../../oauth/scopes.ts';
import { uploadOffset } from './chunks.ts';
import { checkUploadId, type UploadChunk } from './claim.ts';
import { type RequestDigests, requestDigests } from './content-digest.ts';
import type { UploadContext } from './context.ts';
import {
  checkChunkSize,
  checkForeignTotals,
  chunkOf,
  isOffsetQuery,
  totalOf,
  type UploadParams,
  uploadParams,
} from './parameters.ts';
import { prepareUpload } from './plan.ts';
import { type FormStatement, missingContent, publishUpload } from './publish.ts';
import { type UploadLocation, uploadTarget } from './target.ts';

const { json } = operationsFor<Principal, Scope>();

const DESCRIPTION = `A PUT carries the content as its body and the parameters in the query; it is answered with 201 for a new file and 200 for one that was overwritten. A multipart POST carries the content in a part named \`file\`, and is always answered with 200; \`data.created\` is true if the file is new. The folder of \`path\` must exist; \`filePath\` creates missing folders. \`uuid\` replaces the file that has it. One more path segment, which \`curl -T\` appends, is ignored. \`lastModified\` (Unix seconds) sets the time of the file. \`Content-Range\` is refused.

A chunked upload sends \`totalSize\` and \`startByte\` with each chunk. Every reply but the last has the \`offset\` of the next chunk and the \`uploadId\`, which is unique within the account: send it with all chunks after the first, or choose one (16 to 128 letters, digits, \`-\` and \`_\`, at random) and send it with all of them. \`getOffset=1\` returns the offset, also after a lost connection or a restart. With \`uploadId\` and \`totalSize\` it also returns \`isStored\` for a while after the upload has completed. \`lastModified\` and a digest, when given, are part of the upload's identity. Without any of these three, \`getOffset\` returns 0, and a chunk must continue or repeat what the same app has sent; anything else is a \`conflict\` with \`details.offset\` 0. The file appears with the last chunk. A chunk that leaves a gap is a \`conflict\` with \`details.offset\`. An unfinished upload expires after seven days without a chunk, or after one day without any of these three.

The chunk fields of flow.js (\`flowTotalSize\`, \`flowChunkNumber\`, \`flowChunkSize\`; POST or PUT, also in parallel) and \`frTotalSize\`, \`frIsFirstChunk\`, \`frIsLastChunk\` and \`frGetOffset\` are supported. A request of another chunk protocol is rejected when its total shows that it carries only a part of the content.

\`sha256\`, or the header \`Repr-Digest\` (RFC 9530, \`sha-256\` and \`sha-512\`), is the digest of the whole file; \`Content-Digest\` is the digest of this request's content. Both headers are for PUT. A wrong digest is a \`digest_mismatch\`, and nothing is stored.

If the file has exactly this content already, no version is created, and only a time that was sent is set: the reply is 200 with \`unchanged\`.

\`If-Match\`, \`If-None-Match\` and \`If-Unmodified-Since\` are evaluated against the current file when the content is published; \`precondition_failed\` has the current tag in \`details.etag\`. The reply carries the \`ETag\` of the new content.

Where possible, an upload that is not allowed is rejected before its content is sent: \`upload_too_large\`, \`type_not_allowed\` by the name, \`quota_exceeded\` with \`details\` in bytes.`;

function locationIn(params: UploadParams | null): UploadLocation | null {
  return (params?.path ?? params?.filePath ?? params?.uuid) === undefined ? null : params;
}

/** In a form, the digest headers describe the form, not the content. */
function digestsOf(params: UploadParams, headers: IncomingHttpHeaders, isWholeBody: boolean): RequestDigests {
  return requestDigests(isWholeBody ? headers : {}, params.sha256);
}

function inForm(params: UploadParams): FormStatement & { readonly chunk: UploadChunk | null } {
  const digests = digestsOf(params, {}, false);
  return { location: params, chunk: chunkOf(params, digests), digests, lastModified: params.lastModified };
}

/** @param size bytes of this request, as far as known */
function checkSizes(params: UploadParams, chunk: UploadChunk | null, size: number | null): void {
  checkChunkSize(params, size);
  checkForeignTotals(params, chunk, size);
}

/** Checks a whole content that states its size. */
function checkWhole({ totalSize, startByte }: UploadChunk, size: number): void {
  if (startByte !== 0) throw invalidParameter('startByte', t('api.uploads.startByte'));
  if (size !== totalSize) throw invalidParameter('totalSize', t('api.uploads.size', { parameter: 'totalSize', size }));
}

export const uploadOperation = (context: UploadContext) =>
  json({
    path: 'files/upload',
    methods: ['PUT', 'POST'],
    scopes: ['upload'],
    summary: 'Upload a file',
    description: DESCRIPTION,
    statuses: [200, 201],
    statusesOf: { POST: [200] },
    takesName: true,
    honours: [...CONDITION_HEADERS, 'Repr-Digest', 'Content-Digest'],
    params: uploadParams,
    data: z.union([
      z.object({
        path: z.string(),
        filename: z.string(),
        fileSize: z.int().nonnegative(),
        uuid: z.uuid(),
        version: z.int().positive(),
        created: z.boolean(),
        unchanged: z.literal(true).optional(),
      }),
      z.object({
        offset: z.int().nonnegative(),
        uploadId: z.string().optional(),
        isStored: z.literal(true).optional(),
      }),
    ]),
    upload: {
      expects: (params) => !isOffsetQuery(params),
      prepare: async ({ principal, params, bytes, headers, isWholeBody }) => {
        const conditions = preconditionsOf(headers);
        // A form may describe all of it after the content.
        const location = isWholeBody ? params : locationIn(params);
        const known = { location, bytes, conditions, isWholeBody };
        if (params === null) return prepareUpload(context, principal, { ...known, chunk: null });
        const digests = digestsOf(params, headers, isWholeBody);
        const chunk = chunkOf(params, digests);
        if (isWholeBody) checkSizes(params, chunk, bytes);
        const { lastModified } = params;
        return prepareUpload(context, principal, { ...known, chunk, digests, lastModified });
      },
    },
    run: async ({ params, principal, plan, confirm, request, response }) => {
      const { headers } = request;
      if (isOffsetQuery(params)) {
        await plan?.drop();
        const { digest } = digestsOf(params, headers, request.method === 'PUT');
        const { uploadId, lastModified } = params;
        checkUploadId(uploadId);
        const identity = { uploadId, lastModified, digest, totalSize: totalOf(params) };
        return uploadOffset(context, principal, await uploadTarget(context, principal, params), identity);
      }
      const received = plan?.received ?? null;
      if (plan === null || received === null) throw missingContent();
      const isWholeBody = request.method === 'PUT';
      const stated = isWholeBody ? undefined : inForm(params);
      const chunk = stated === undefined ? plan.announced.chunk : stated.chunk;
      if (received.kind !== 'chunk') {
        checkSizes(params, chunk, received.size);
        // A form field hides a query parameter of the same name, which must not contradict the content either.
        const inQuery = isWholeBody ? undefined : uploadParams.safeParse(queryParameters(request)).data;
        if (inQuery !== undefined) checkSizes(inQuery, chunk, received.size);
        if (chunk !== null && isWholeBody) checkWhole(chunk, received.size);
      }
      const published = await publishUpload(context, principal, plan, { ...(stated && { stated }), confirm });
      if (!('file' in published)) {
        const { offset, uploadId, revealsUploadId } = published;
        return revealsUploadId ? { offset, uploadId } : { offset };
      }
      response.setHeader('ETag', published.etag);
      return new WithStatus(isWholeBody && published.file.created ? 201 : 200, published.file);
    },
  });
