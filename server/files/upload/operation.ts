import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { invalidParameter } from '../../http/errors.ts';
import { operationsFor, WithStatus } from '../../http/operation.ts';
import { CONDITION_HEADERS, preconditionsOf } from '../../http/request/preconditions.ts';
import { queryParameters } from '../../http/request/read-parameters.ts';
import type { Principal } from '../../oauth/bearer.ts';
import type { Scope } from '../../oauth/scopes.ts';
import type { FilesContext } from '../context.ts';
import { checkUploadId, type UploadChunk } from './claim.ts';
import { parameterDigest, type RequestDigests, requestDigests } from './content-digest.ts';
import {
  checkChunkSize,
  checkForeignTotals,
  chunkOf,
  isOffsetQuery,
  totalOf,
  type UploadParams,
  uploadParams,
} from './parameters.ts';
import type { Received } from './received.ts';
import {
  addChunkFor,
  checkUpload,
  dropUpload,
  missingContent,
  offsetOf,
  publishUpload,
  receiveChunkFor,
  receiveUpload,
  type UploadTarget,
} from './upload.ts';

const { json } = operationsFor<Principal, Scope>();

const DESCRIPTION = `A PUT carries the content as its body and the parameters in the query; it is answered with 201 for a new file and 200 for one that was overwritten. A multipart POST carries the content in a part named \`file\`, and is always answered with 200; \`data.created\` says whether the file is new. The folder of \`path\` must exist; \`filePath\` creates missing folders. One more path segment, which \`curl -T\` appends, is ignored. \`lastModified\` (Unix seconds) sets the time of the file. \`Content-Range\` is refused.

A chunked upload sends \`totalSize\` and \`startByte\` with each chunk. Every reply but the last has the \`offset\` of the next chunk and the \`uploadId\`, which is unique within the account: send it with all chunks after the first, or choose one (16 to 128 letters, digits, \`-\` and \`_\`, at random) and send it with all of them. \`getOffset=1\` returns the offset, also after a lost connection or a restart. With \`uploadId\` and \`totalSize\` it also returns \`isStored\` for a while after the upload has completed. \`lastModified\` and a digest, when given, are part of the upload's identity. Without any of these three, \`getOffset\` returns 0, and a chunk must continue or repeat what the same app has sent; anything else is a \`conflict\` with \`details.offset\` 0. The file appears with the last chunk. A chunk that leaves a gap is a \`conflict\` with \`details.offset\`. An unfinished upload expires after seven days without a chunk, or after one day without any of these three.

The chunk fields of flow.js (\`flowTotalSize\`, \`flowChunkNumber\`, \`flowChunkSize\`; POST or PUT, also in parallel) and \`frTotalSize\`, \`frIsFirstChunk\`, \`frIsLastChunk\` and \`frGetOffset\` are supported. A request of another chunk protocol is rejected when its total shows that it carries only a part of the content.

\`sha256\`, or the header \`Repr-Digest\` (RFC 9530, \`sha-256\` and \`sha-512\`), is the digest of the whole file; \`Content-Digest\` is the digest of this request's content. Both headers are for PUT. A wrong digest is a \`digest_mismatch\`, and nothing is stored.

\`If-Match\`, \`If-None-Match\` and \`If-Unmodified-Since\` are evaluated against the current file when the content is published; \`precondition_failed\` has the current tag in \`details.etag\`. The reply carries the \`ETag\` of the new content.

Where possible, an upload that is not allowed is rejected before its content is sent: \`upload_too_large\`, \`type_not_allowed\` by the name, \`quota_exceeded\` with \`details\` in bytes.`;

function whereIn(params: UploadParams | undefined): (UploadTarget & UploadParams) | null {
  return (params?.path ?? params?.filePath) === undefined ? null : (params ?? null);
}

/** The digest headers of a form are of the form. */
function digestsOf(params: UploadParams, headers: IncomingHttpHeaders, isWholeBody: boolean): RequestDigests {
  return requestDigests(isWholeBody ? headers : {}, params.sha256);
}

function chunkIn(params: UploadParams | undefined, headers: IncomingHttpHeaders, isWholeBody: boolean) {
  return params === undefined ? null : chunkOf(params, digestsOf(params, headers, isWholeBody));
}

/** @param size bytes of this request, as far as they are known */
function checkSizes(params: UploadParams, chunk: UploadChunk | null, size: number | null): void {
  checkChunkSize(params, size);
  checkForeignTotals(params, chunk, size);
}

/** A whole content that says how large it is. */
function checkWhole({ totalSize, startByte }: UploadChunk, size: number): void {
  if (startByte !== 0) throw invalidParameter('startByte', 'is not the beginning of the content');
  if (size !== totalSize) throw invalidParameter('totalSize', `is not the size of the content, which is ${size} bytes`);
}

export const uploadOperation = (context: FilesContext) =>
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
      }),
      z.object({
        offset: z.int().nonnegative(),
        uploadId: z.string().optional(),
        isStored: z.literal(true).optional(),
      }),
    ]),
    expectsFile: (params) => !isOffsetQuery(params),
    beforeFile: async ({ principal, query, headers, announced, isWholeBody }) => {
      const { data } = uploadParams.safeParse(query);
      const chunk = chunkIn(data, headers, isWholeBody);
      if (isWholeBody && data !== undefined) checkSizes(data, chunk, announced);
      const conditions = preconditionsOf(headers);
      await checkUpload(context, principal, { where: whereIn(data), bytes: announced, chunk, conditions });
    },
    takeFile: async ({ principal, content: body, announced, query, headers, isWholeBody }) => {
      const known = uploadParams.safeParse(query).data;
      const where = whereIn(known);
      const chunk = chunkIn(known, headers, isWholeBody);
      if (isWholeBody && where !== null && chunk !== null) {
        return receiveChunkFor(context, principal, where, chunk, body, announced);
      }
      return receiveUpload(context, principal, where, body, announced, known?.lastModified);
    },
    dropFile: dropUpload,
    run: async ({ params, principal, file, request, response }) => {
      const { headers } = request;
      if (isOffsetQuery(params)) {
        if (file !== null) await dropUpload(file);
        const digest = params.sha256 === undefined ? undefined : parameterDigest(params.sha256);
        const { uploadId, lastModified } = params;
        checkUploadId(uploadId);
        return offsetOf(context, principal, params, { uploadId, lastModified, digest, totalSize: totalOf(params) });
      }
      if (file === null) throw missingContent();
      const isWholeBody = request.method === 'PUT';
      const digests = digestsOf(params, headers, isWholeBody);
      const chunk = chunkOf(params, digests);
      let received: Received = file;
      if (!('uploadId' in received)) {
        checkSizes(params, chunk, received.size);
        // In a form a field covers the same name in the query, which must not contradict the content either.
        const inQuery = uploadParams.safeParse(queryParameters(request)).data;
        if (!isWholeBody && inQuery !== undefined) checkSizes(inQuery, chunk, received.size);
        if (chunk !== null && isWholeBody) checkWhole(chunk, received.size);
        if (chunk !== null && !isWholeBody) {
          received = await addChunkFor(context, principal, params, chunk, received);
        }
      }
      if ('uploadId' in received && !received.isComplete) {
        const { offset, key, revealsKey } = received;
        return revealsKey ? { offset, uploadId: key } : { offset };
      }
      try {
        const { lastModified, path, filePath } = params;
        // Of a whole content both digests are the same; that of a chunk was looked at when the chunk came.
        const said = [digests.digest, 'uploadId' in received ? undefined : digests.contentDigest];
        const wishes = { path, filePath, lastModified, digests: said, conditions: preconditionsOf(headers) };
        const { file: uploaded, etag } = await publishUpload(context, principal, wishes, received);
        response.setHeader('ETag', etag);
        return new WithStatus(isWholeBody && uploaded.created ? 201 : 200, uploaded);
      } catch (error) {
        if (received !== file) await dropUpload(received);
        throw error;
      }
    },
  });
