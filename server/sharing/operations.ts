import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ownAddress } from '../http/connection/hosts.ts';
import { operationsFor } from '../http/operation.ts';
import { flag, integer, text, virtualPath } from '../http/request/parameters.ts';
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
      'With a user (`uid`), a group (`gid`), or a guest (`name` and `email`). They find it below `/ROOT/SHARED`. Shared again with the same one, what is sent changes and what is left out stays; at first `download`, `comment` and `read_comments` are on. A share never lets more be done than its sharer may do. `anonymous` hides who shares it. `alias` is another name for a folder.\n\nA new guest comes with a private `link`, which is told this once: whoever has it is the guest. An address that belongs to an account of the household is shared with that account.',
    params: z.object({
      path: virtualPath(),
      uid: id().describe('A user to share with.'),
      gid: id().describe('A group to share with.'),
      name: text().optional().describe('A guest to share with: the name.'),
      email: text().optional().describe('A guest to share with: the e-mail address.'),
      anonymous: right().describe('Hides who shares it.'),
      upload: right().describe('May add files.'),
      download: right().describe('May download.'),
      comment: right().describe('May write comments.'),
      read_comments: right().describe('May read comments.'),
      alter: right().describe('May change, rename, move and delete.'),
      share: right().describe('May share it with others.'),
      alias: text().optional().describe('Another name for the folder, for those it is shared with.'),
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
      const { path, ...wanted } = params;
      const shared = await shareItem(context, principal, path, wanted);
      return replyOf(shared, request, basePath);
    },
  }),

  json({
    path: 'files/unshare',
    methods: ['GET', 'POST'],
    scopes: ['share'],
    summary: 'End a share',
    description:
      'With the user `uid` or the group `gid`; what they shared of it themselves ends as well. In one’s own files it ends what anybody shares of them.',
    params: z.object({
      path: virtualPath(),
      uid: id().describe('The user it is shared with.'),
      gid: id().describe('The group it is shared with.'),
    }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await unshareItem(context, principal, params.path, params);
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
