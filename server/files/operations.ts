import { z } from 'zod';
import { DOWNLOAD_HEADERS, operationsFor } from '../http/operation.ts';
import { flag, itemName, text, versionNumber, virtualPath } from '../http/request/parameters.ts';
import { CONDITION_HEADERS, CONDITIONS, preconditionsOf } from '../http/request/preconditions.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { ContentContext } from './content-context.ts';
import { createFolder } from './create-folder.ts';
import type { DownloadContext } from './download/context.ts';
import { download } from './download/download.ts';
import { lockOperations } from './locks/operations.ts';
import { copyItem } from './move/copy.ts';
import { moveItem, renameItem } from './move/move.ts';
import { deleteItem } from './trash/delete.ts';
import { emptyOwnTrash } from './trash/empty-trash.ts';
import { deleteFromTrash, restoreItem } from './trash/trash.ts';
import { uploadOperation } from './upload/operations.ts';
import { versionOperations } from './versions/operations.ts';
import type { ArchiveContext } from './zip/context.ts';
import { archiveOperations } from './zip/operations.ts';

const { json, content } = operationsFor<Principal, Scope>();

/** All operations on files and folders, except listings. */
export const filesOperations = (context: ContentContext & ArchiveContext) => [
  ...itemOperations(context),
  uploadOperation(context),
  ...versionOperations(context),
  ...archiveOperations(context),
  ...lockOperations(context),
];

const itemOperations = (context: DownloadContext) => [
  json({
    path: 'files/createfolder',
    methods: ['GET', 'POST'],
    scopes: ['upload'],
    summary: 'Create a folder',
    description: '`path` or `uuid` is the parent folder, which must exist.',
    params: z.object({
      ...itemName(),
      name: text().describe('Name of the new folder.'),
    }),
    data: z.object({ path: z.string(), folderName: z.string(), uuid: z.uuid() }),
    run: ({ params, principal }) => createFolder(context, principal, params, params.name),
  }),

  json({
    path: 'files/rename',
    methods: ['GET', 'POST'],
    scopes: ['modify'],
    summary: 'Rename a file or folder',
    description: `With \`overwrite=1\`, a file replaces an existing file, whose content becomes a version. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({
      ...itemName(),
      newName: text().describe('New name, without a path.'),
      overwrite: flag().default(false).describe('Whether to replace an existing file.'),
    }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal, request }) => {
      const { path } = await renameItem(context, principal, params, params.newName, {
        overwrite: params.overwrite,
        conditions: preconditionsOf(request.headers),
      });
      return { path };
    },
  }),

  json({
    path: 'files/move',
    methods: ['POST'],
    scopes: ['download', 'upload'],
    summary: 'Move a file or folder',
    description: `With \`overwrite=1\`, a file replaces an existing file, as in \`files/rename\`. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({
      ...itemName(),
      moveTo: virtualPath().describe('Destination folder.'),
      overwrite: flag().default(false).describe('Whether to replace an existing file.'),
    }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal, request }) => {
      const { path } = await moveItem(context, principal, params, params.moveTo, {
        overwrite: params.overwrite,
        conditions: preconditionsOf(request.headers),
      });
      return { path };
    },
  }),

  json({
    path: 'files/copy',
    methods: ['POST'],
    scopes: ['download', 'upload'],
    summary: 'Copy a file or folder',
    description: `The copy appears when it is complete. With \`overwrite=1\`, a file replaces an existing file, as in \`files/rename\`. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({
      ...itemName(),
      copyTo: virtualPath().describe('Destination folder.'),
      overwrite: flag().default(false).describe('Whether to replace an existing file.'),
    }),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal, request }) => ({
      path: await copyItem(context, principal, params, params.copyTo, {
        overwrite: params.overwrite,
        conditions: preconditionsOf(request.headers),
      }),
    }),
  }),

  content({
    path: 'files/download',
    methods: ['GET', 'HEAD', 'POST'],
    scopes: ['download'],
    summary: 'Download a file or folder',
    description:
      'Supports single and multiple ranges and the conditional requests of RFC 9110. A folder is sent as a ZIP archive that is created on the fly, without `Content-Length` and ranges.',
    statuses: [200, 206, 304],
    honours: DOWNLOAD_HEADERS,
    params: z.object({
      ...itemName(),
      openInBrowser: flag().default(false).describe('Whether a browser may display the file instead of saving it.'),
      version: versionNumber().optional().describe('Version number; by default the current version.'),
    }),
    run: ({ params, principal, request, response }) => download(context, principal, params, params, request, response),
  }),

  json({
    path: 'files/delete',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Delete a file or folder',
    description: `Moves the item to the trash, or deletes it permanently with \`permanent=1\`. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({
      ...itemName(),
      permanent: flag().default(false).describe('Whether to delete permanently instead of moving to the trash.'),
    }),
    data: z.object({ trash_path: z.string().optional() }),
    run: async ({ params, principal, request }) => {
      const conditions = preconditionsOf(request.headers);
      const trashId = await deleteItem(context, principal, params, { permanent: params.permanent, conditions });
      return trashId === null ? {} : { trash_path: `/TRASH/${trashId}` };
    },
  }),

  json({
    path: 'files/trash/restore',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Restore an item from the trash',
    description: `Restores the item to its former folder, or to the home folder if that no longer exists. If the name is in use, " (restored)" is added. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object(itemName()),
    data: z.object({ path: z.string() }),
    run: async ({ params, principal, request }) => ({
      path: await restoreItem(context, principal, params, preconditionsOf(request.headers)),
    }),
  }),

  json({
    path: 'files/trash/delete',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Delete an item in the trash permanently',
    params: z.object(itemName()),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await deleteFromTrash(context, principal, params);
      return {};
    },
  }),

  json({
    path: 'files/trash/empty',
    methods: ['GET', 'POST'],
    scopes: ['delete'],
    summary: 'Empty the trash',
    params: z.object({}),
    data: z.object({}),
    run: async ({ principal }) => {
      await emptyOwnTrash(context, principal);
      return {};
    },
  }),
];
