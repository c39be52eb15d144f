import { z } from 'zod';
import { DOWNLOAD_HEADERS, operationsFor } from '../http/operation.ts';
import { flag, text, versionNumber, virtualPath } from '../http/request/parameters.ts';
import { CONDITION_HEADERS, preconditionsOf } from '../http/request/preconditions.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { FilesContext } from './context.ts';
import { createFolder } from './create-folder.ts';
import { download } from './download/download.ts';
import { lockOperations } from './locks/operations.ts';
import { copyItem } from './move/copy.ts';
import { moveItem, renameItem } from './move/move.ts';
import { deleteItem } from './trash/delete.ts';
import { emptyOwnTrash } from './trash/empty-trash.ts';
import { deleteFromTrash, restoreItem } from './trash/trash.ts';
import { uploadOperation } from './upload/operation.ts';
import { versionOperations } from './versions/operations.ts';
import { archiveOperations } from './zip/operations.ts';

const { json, content } = operationsFor<Principal, Scope>();

/** All operations on files and folders, except listings. */
export const filesOperations = (context: FilesContext) => [
  ...itemOperations(context),
  uploadOperation(context),
  ...versionOperations(context),
  ...archiveOperations(context),
  ...lockOperations(context),
];

const itemOperations = (context: FilesContext) => [
  json({
    path: 'files/createfolder',
    methods: ['GET', 'POST'],
    scopes: ['upload'],
    summary: 'Create a folder',
    description: '`path` is the parent, which must exist; `name` is the new folder.',
    params: z.object({
      path: virtualPath().describe('The folder that it is made in.'),
      name: text().describe('What it is called.'),
    }),
    data: z.object({ path: z.string(), folderName: z.string(), uuid: z.uuid() }),
    run: ({ params, principal }) => createFolder(context, principal, params.path, params.name),
  }),

  json({
    path: 'files/rename',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Rename a file or folder',
    description: 'With `overwrite=1` a file takes the place of another one, whose content becomes a version.',
    params: z.object({
      path: virtualPath(),
      newName: text().describe('The new name, without a path.'),
      overwrite: flag().default(false).describe('Whether it may take the place of what has this name already.'),
    }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal }) => ({
      path: await renameItem(context, principal, params.path, params.newName, params.overwrite),
    }),
  }),

  json({
    path: 'files/move',
    methods: ['POST'],
    scopes: ['download', 'upload'],
    summary: 'Move a file or folder',
    description: '`moveTo` is the folder it goes to. `overwrite` as in rename.',
    params: z.object({
      path: virtualPath(),
      moveTo: virtualPath().describe('The folder that it goes to.'),
      overwrite: flag().default(false).describe('Whether it may take the place of what has this name already.'),
    }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal }) => ({
      path: await moveItem(context, principal, params.path, params.moveTo, params.overwrite),
    }),
  }),

  json({
    path: 'files/copy',
    methods: ['POST'],
    scopes: ['download', 'upload'],
    summary: 'Copy a file or folder',
    description: '`copyTo` is the folder it goes to. The copy appears whole. `overwrite` as in rename.',
    params: z.object({
      path: virtualPath(),
      copyTo: virtualPath().describe('The folder that the copy goes to.'),
      overwrite: flag().default(false).describe('Whether it may take the place of what has this name already.'),
    }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal }) => ({
      path: await copyItem(context, principal, params.path, params.copyTo, params.overwrite),
    }),
  }),

  content({
    path: 'files/download',
    methods: ['GET', 'HEAD', 'POST'],
    scopes: ['download'],
    summary: 'Download a file or folder',
    description:
      'Takes `Range`, also several, and the conditions of RFC 9110. `version` asks for an old content. A folder comes as a ZIP archive, made on the way: without a length and without ranges.',
    statuses: [200, 206, 304],
    honours: DOWNLOAD_HEADERS,
    params: z.object({
      path: virtualPath(),
      openInBrowser: flag().default(false).describe('Whether a browser may show it rather than save it.'),
      version: versionNumber().optional().describe('An old content, by its number.'),
    }),
    run: ({ params, principal, request, response }) =>
      download(context, principal, params.path, params, request, response),
  }),

  json({
    path: 'files/delete',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Delete a file or folder',
    description:
      'It goes to the trash, or with `permanent=1` for good. `If-Match`, `If-None-Match` and `If-Unmodified-Since` are held against what is there in the moment in which it goes; the failure `precondition_failed` has the present tag in `details.etag`.',
    honours: CONDITION_HEADERS,
    params: z.object({ path: virtualPath(), permanent: flag().default(false).describe('For good, past the trash.') }),
    data: z.object({ trash_path: z.string().optional() }),
    run: async ({ params, principal, request }) => {
      const conditions = preconditionsOf(request.headers);
      const trashId = await deleteItem(context, principal, params.path, params.permanent, conditions);
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
    run: async ({ params, principal }) => ({ path: await restoreItem(context, principal, params.path) }),
  }),

  json({
    path: 'files/trash/delete',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Remove an item from the trash for good',
    params: z.object({ path: virtualPath() }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await deleteFromTrash(context, principal, params.path);
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
      await emptyOwnTrash(context, principal);
      return {};
    },
  }),
];
