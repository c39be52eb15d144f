import { z } from 'zod';
import { invalidParameter, missingParameter } from '../http/errors.ts';
import { operationsFor, WithStatus } from '../http/operation.ts';
import { flag, integer, MAX_BYTES, text, virtualPath } from '../http/parameters.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { FilesContext } from './context.ts';
import { createFolder } from './create-folder.ts';
import { deleteItem } from './delete.ts';
import { downloadFile } from './download.ts';
import { moveItem, renameItem } from './move.ts';
import { deleteFromTrash, emptyTrash, restoreItem } from './trash.ts';
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

const { json, content } = operationsFor<Principal, Scope>();

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

const uploadParams = z.object({
  path: virtualPath().optional(),
  filePath: virtualPath().optional(),
  totalSize: integer({ min: 0, max: MAX_BYTES }).optional(),
  startByte: integer({ min: 0, max: MAX_BYTES }).optional(),
  getOffset: flag().default(false),
  lastModified: integer({ min: 0, max: LATEST }).optional(),
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

export const filesOperations = (context: FilesContext) => [
  json({
    path: 'files/createfolder',
    methods: ['GET', 'POST'],
    scopes: ['upload'],
    summary: 'Create a folder',
    description: '`path` is the parent, which must exist; `name` is the new folder.',
    params: z.object({ path: virtualPath(), name: text() }),
    data: z.object({ path: z.string(), folderName: z.string(), uuid: z.uuid() }),
    run: ({ params, principal }) => createFolder(context, principal.account, params.path, params.name),
  }),

  json({
    path: 'files/upload',
    methods: ['PUT', 'POST'],
    scopes: ['upload'],
    summary: 'Upload a file',
    description:
      'A PUT carries the content as its body and the parameters in the query. A multipart POST carries it in a part named `file`. The folder of `path` must exist; `filePath` makes the folders that are missing. `lastModified` (Unix seconds) sets the time of the file.\n\nA PUT with `totalSize` and `startByte` carries one piece of the content; the reply to every piece but the last is the `offset` where the next one begins. `getOffset=1` asks for it, also after a lost connection or a restart. The file appears with the last piece. A piece that does not follow what has come is a `conflict`, with `details.offset`. An upload that nobody continues is given up after seven days.',
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
    beforeFile: async ({ principal, query, announced }) => {
      const known = uploadParams.safeParse(query);
      if (known.success && (known.data.path ?? known.data.filePath) !== undefined) {
        await checkUpload(context, principal.account, known.data, announced);
      }
    },
    takeFile: async ({ principal, content: body, announced, query, isWholeBody }) => {
      const known = uploadParams.safeParse(query).data;
      if (isWholeBody && known !== undefined && isPiece(known)) {
        return receivePieceFor(context, principal.account, known, pieceOf(known), body, announced);
      }
      const home = await context.access.homeOf(principal.account);
      return receiveUpload(context, home, body, announced, known?.lastModified);
    },
    dropFile: dropUpload,
    run: async ({ params, principal, file }) => {
      if (params.getOffset) return { offset: await offsetOf(context, principal.account, params) };
      if (file === null) throw missingContent();
      if ('uploadId' in file && !file.isComplete) return { offset: file.offset };
      if (!('uploadId' in file) && isPiece(params)) checkWhole(pieceOf(params), file.size);
      const { file: uploaded, isNew } = await publishUpload(context, principal.account, params, file);
      return new WithStatus(isNew ? 201 : 200, uploaded);
    },
  }),

  json({
    path: 'files/rename',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Rename a file or folder',
    description: 'With `overwrite=1` a file takes the place of another one, whose content becomes a version.',
    params: z.object({ path: virtualPath(), newName: text(), overwrite: flag().default(false) }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal }) => ({
      path: await renameItem(context, principal.account, params.path, params.newName, params.overwrite),
    }),
  }),

  json({
    path: 'files/move',
    methods: ['POST'],
    scopes: ['download', 'upload'],
    summary: 'Move a file or folder',
    description: '`moveTo` is the folder it goes to. `overwrite` as in rename.',
    params: z.object({ path: virtualPath(), moveTo: virtualPath(), overwrite: flag().default(false) }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal }) => ({
      path: await moveItem(context, principal.account, params.path, params.moveTo, params.overwrite),
    }),
  }),

  content({
    path: 'files/download',
    methods: ['GET', 'HEAD', 'POST'],
    scopes: ['download'],
    summary: 'Download a file',
    description: 'Takes `Range`, also several, and the conditions of RFC 9110.',
    statuses: [200, 206, 304],
    params: z.object({ path: virtualPath(), openInBrowser: flag().default(false) }),
    run: ({ params, principal, request, response }) =>
      downloadFile(context, principal.account, params.path, params, request, response),
  }),

  json({
    path: 'files/delete',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Delete a file or folder',
    description: 'It goes to the trash, or with `permanent=1` for good.',
    params: z.object({ path: virtualPath(), permanent: flag().default(false) }),
    data: z.object({ trash_path: z.string().optional() }),
    run: async ({ params, principal }) => {
      const trashId = await deleteItem(context, principal.account, params.path, params.permanent);
      return trashId === null ? {} : { trash_path: `/TRASH/${trashId}` };
    },
  }),

  json({
    path: 'files/trash/restore',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Put an item of the trash back',
    description: 'Where it was, or into the home when that folder is gone. A taken name gets " (restored)".',
    params: z.object({ path: virtualPath() }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal }) => ({ path: await restoreItem(context, principal.account, params.path) }),
  }),

  json({
    path: 'files/trash/delete',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Remove an item from the trash for good',
    params: z.object({ path: virtualPath() }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await deleteFromTrash(context, principal.account, params.path);
      return {};
    },
  }),

  json({
    path: 'files/trash/empty',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Remove everything in the trash for good',
    params: z.object({}),
    data: z.object({}),
    run: async ({ principal }) => {
      await emptyTrash(context, await context.access.homeOf(principal.account), Number.POSITIVE_INFINITY);
      return {};
    },
  }),
];
