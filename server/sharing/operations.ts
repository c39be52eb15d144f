import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ownAddress } from '../http/connection/hosts.ts';
import { operationsFor } from '../http/operation.ts';
import { flag, integer, itemName, text } from '../http/request/parameters.ts';
import { isoSeconds } from '../lib/datetime.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { SharingContext } from './context.ts';
import { guestLinkPath } from './notices.ts';
import { type Shared, shareItem } from './share.ts';
import { unshareItem } from './unshare.ts';

const { json } = operationsFor<Principal, Scope>();

const id = () => integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional();
const right = () => flag().optional();

/** @param basePath the prefix of the installation */
export const sharingOperations = (context: SharingContext, basePath: string) => [
  json({
    path: 'files/share',
    methods: ['GET', 'POST'],
    scopes: ['share'],
    summary: 'Share a file or folder',
    description:
      'Shares with a user (`uid`), a group (`gid`) or a guest (`name` and `email`). The item appears under `/ROOT/SHARED`. New shares have `download`, `comment` and `read_comments` by default. Sharing again with the same recipient changes the share; omitted options remain unchanged. A share never grants more than the sharer’s own permissions.\n\nFor a new guest, the reply has a private `link` that signs in as the guest. It is returned only once. If the email address belongs to a household account, the item is shared with that account.',
    params: z.object({
      ...itemName(),
      uid: id().describe('ID of the user to share with.'),
      gid: id().describe('ID of the group to share with.'),
      name: text().optional().describe('Name of the guest to share with.'),
      email: text().optional().describe('Email address of the guest to share with.'),
      anonymous: right().describe('Hide the name of the sharer.'),
      upload: right().describe('Allow uploads.'),
      download: right().describe('Allow downloads.'),
      comment: right().describe('Allow writing comments.'),
      read_comments: right().describe('Allow reading comments.'),
      alter: right().describe('Allow changing, renaming, moving and deleting.'),
      share: right().describe('Allow sharing with others.'),
      alias: text().optional().describe('Name of the folder as shown to recipients.'),
    }),
    data: z.object({
      shareid: z.int().positive(),
      uid: z.int().positive().optional(),
      gid: z.int().positive().optional(),
      guest: z
        .object({ name: z.string(), email: z.string(), link: z.string(), expires: z.string(), mailed: z.boolean() })
        .optional(),
    }),
    run: async ({ params, principal, request }) => {
      const { path, uuid, ...requested } = params;
      const shared = await shareItem(context, principal, { path, uuid }, requested);
      return replyOf(shared, request, basePath);
    },
  }),

  json({
    path: 'files/unshare',
    methods: ['GET', 'POST'],
    scopes: ['share'],
    summary: 'Remove a share',
    description:
      'Removes the share with the user `uid` or the group `gid`, and the reshares based on it. For items in your own home, this also applies to shares created by others.',
    params: z.object({
      ...itemName(),
      uid: id().describe('ID of the user the item is shared with.'),
      gid: id().describe('ID of the group the item is shared with.'),
    }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await unshareItem(context, principal, params, params);
      return {};
    },
  }),
];

function replyOf({ id: shareid, recipient, guest, isMailed }: Shared, request: IncomingMessage, basePath: string) {
  const to = recipient.uid === null ? { gid: recipient.gid } : { uid: recipient.uid };
  if (guest === null || guest.link === null) return { shareid, ...to };
  const { account, link } = guest;
  return {
    shareid,
    ...to,
    guest: {
      name: account.name,
      email: account.email,
      link: `${ownAddress(request)}${basePath}${guestLinkPath(link.token)}`,
      expires: isoSeconds(link.expiresAt),
      mailed: isMailed,
    },
  };
}
