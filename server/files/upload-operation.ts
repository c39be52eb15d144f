import { z } from 'zod';
import { invalidParameter, missingParameter } from '../http/errors.ts';
import { operationsFor, WithStatus } from '../http/operation.ts';
import { flag, integer, MAX_BYTES, virtualPath } from '../http/parameters.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { FilesContext } from './context.ts';
import {
  checkUpload,
  dropUpload,
  missingContent,
  offsetOf,
  publishUpload,
  receivePieceFor,
  receiveUpload,
} from './upload.ts';
import type { Piece } from './upload-pieces.ts';

const { json } = operationsFor<Principal, Scope>();

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

const uploadParams = z.object({
  path: virtualPath().optional().describe('The file; its folder has to be there.'),
  filePath: virtualPath().optional().describe('In place of path: the folders that are missing are made.'),
  totalSize: integer({ min: 0, max: MAX_BYTES }).optional().describe('Of an upload in pieces: bytes of all of them.'),
  startByte: integer({ min: 0, max: MAX_BYTES }).optional().describe('Where this piece begins.'),
  getOffset: flag().default(false).describe('Asks where the next piece begins, and sends none.'),
  lastModified: integer({ min: 0, max: LATEST }).optional().describe('The time of the file, in Unix seconds.'),
});

type UploadParams = z.output<typeof uploadParams>;

function isPiece({ totalSize, startByte }: UploadParams): boolean {
  return totalSize !== undefined || startByte !== undefined;
}

function pieceOf({ totalSize, startByte = 0, lastModified }: UploadParams): Piece {
  if (totalSize === undefined) throw missingParameter('totalSize');
  return { totalSize, startByte, lastModified };
}

/** A form carries the whole content. */
function checkWhole({ totalSize, startByte }: Piece, size: number): void {
  if (startByte > 0) throw invalidParameter('startByte', 'is for pieces, which are sent with PUT');
  if (size !== totalSize) throw invalidParameter('totalSize', `is not the size of the content, which is ${size} bytes`);
}

export const uploadOperation = (context: FilesContext) =>
  json({
    path: 'files/upload',
    methods: ['PUT', 'POST'],
    scopes: ['upload'],
    summary: 'Upload a file',
    description:
      'A PUT carries the content as its body and the parameters in the query. A multipart POST carries it in a part named `file`. The folder of `path` must exist; `filePath` makes the folders that are missing. `lastModified` (Unix seconds) sets the time of the file.\n\nA PUT with `totalSize` and `startByte` carries one piece of the content; the reply to every piece but the last is the `offset` where the next one begins. `getOffset=1` asks for it, also after a lost connection or a restart. The file appears with the last piece. A piece that does not follow what has come is a `conflict`, with `details.offset`. An upload that nobody continues is given up after seven days.\n\nWhat the account may not send is refused before its content where that can be known: `upload_too_large`, `type_not_allowed` by the name, `quota_exceeded` with `details` in bytes.',
    statuses: [200, 201],
    params: uploadParams,
    data: z.union([
      z.object({
        path: z.string(),
        filename: z.string(),
        fileSize: z.int().nonnegative(),
        uuid: z.uuid(),
        version: z.int().positive(),
      }),
      z.object({ offset: z.int().nonnegative() }),
    ]),
    expectsFile: ({ getOffset }) => !getOffset,
    beforeFile: async ({ principal, query, announced, isWholeBody }) => {
      const { data } = uploadParams.safeParse(query);
      const where = (data?.path ?? data?.filePath) === undefined ? null : (data ?? null);
      const bytes = data?.totalSize ?? announced;
      const piece = isWholeBody && data !== undefined && isPiece(data);
      await checkUpload(context, principal.account, { where, bytes, isPiece: piece });
    },
    takeFile: async ({ principal, content: body, announced, query, isWholeBody }) => {
      const known = uploadParams.safeParse(query).data;
      if (isWholeBody && known !== undefined && isPiece(known)) {
        return receivePieceFor(context, principal.account, known, pieceOf(known), body, announced);
      }
      const where = (known?.path ?? known?.filePath) === undefined ? null : (known ?? null);
      return receiveUpload(context, principal.account, where, body, announced, known?.lastModified);
    },
    dropFile: dropUpload,
    run: async ({ params, principal, file }) => {
      if (params.getOffset) {
        if (file !== null) await dropUpload(file);
        return { offset: await offsetOf(context, principal.account, params) };
      }
      if (file === null) throw missingContent();
      if ('uploadId' in file && !file.isComplete) return { offset: file.offset };
      if (!('uploadId' in file) && isPiece(params)) checkWhole(pieceOf(params), file.size);
      const { file: uploaded, isNew } = await publishUpload(context, principal, params, file);
      return new WithStatus(isNew ? 201 : 200, uploaded);
    },
  });
