import { z } from 'zod';
import type { AccountCaller } from '../access/caller.ts';
import { displayName } from '../accounts/account-record.ts';
import { ownAddress } from '../http/connection/hosts.ts';
import { operationsFor } from '../http/operation.ts';
import { integer, itemName, listOf, oneOf, orNothing, records, text, uuid } from '../http/request/parameters.ts';
import { isoSeconds } from '../lib/datetime.ts';
import { DETAIL_KEYS, listedItemSchema } from '../listing/details.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import { ALBUM_ROLES } from '../shares/album-shares.ts';
import { ALBUM_ORDERS } from './albums.ts';
import {
  type AlbumChangesContext,
  addAlbum,
  addToAlbum,
  deleteAlbum,
  editAlbum,
  MAX_ITEMS,
  removeFromAlbum,
  showFolder,
} from './change-albums.ts';
import { type AlbumSharingContext, addersOf, albumSharesOf, shareAlbum, unshareAlbum } from './share-album.ts';
import { coversOf, describedMembers, type VisibleAlbum, visibleAlbum, visibleAlbums } from './visible-albums.ts';

const { json } = operationsFor<Principal, Scope>();

const personSchema = z.object({ id: z.int().positive(), name: z.string() });

const albumSchema = z.object({
  album: z.string().describe('The uuid of the album, or `favourites`.'),
  kind: z.enum(['list', 'folder', 'favourites']),
  title: z.string(),
  order: z.enum(ALBUM_ORDERS).describe('By when photos were taken, the oldest first, or by hand.'),
  created: z.string().nullable().describe('ISO 8601; null for favourites.'),
  photos: z.int().nonnegative(),
  films: z.int().nonnegative(),
  from: z.string().nullable().describe('The day of the oldest photo or film, such as 2027-06-12.'),
  to: z.string().nullable().describe('The day of the newest.'),
  cover: z.object({ path: z.string(), uuid: z.uuid() }).nullable(),
  folder: z.string().nullable().describe('For an album of a folder: the path of the folder.'),
  role: z
    .enum(['owner', ...ALBUM_ROLES])
    .describe('What the account may do: with the albums of others, see them or also add to them.'),
  owner: personSchema,
  shared: z.boolean().describe('Whether it is shared with anyone.'),
});

const shareSchema = z.object({
  uid: z.int().positive().optional(),
  gid: z.int().positive().optional(),
  name: z.string(),
  kind: z.enum(['user', 'group', 'guest']),
  role: z.enum(ALBUM_ROLES),
});

type AlbumReply = z.output<typeof albumSchema>;

const albumName = () => text().describe('The uuid of the album, or `favourites`.');

const named = z.strictObject({ path: z.string().regex(/^\//).max(3_500).optional(), uuid: z.uuid().optional() });
const someItems = () => records(named, MAX_ITEMS).describe('Photos and films, each with its `path` or `uuid`.');

const recipient = () => ({
  uid: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional().describe('ID of the user.'),
  gid: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional().describe('ID of the group.'),
});

/** @param basePath the prefix of the installation */
export const albumOperations = (context: AlbumChangesContext & AlbumSharingContext, basePath: string) => [
  json({
    path: 'albums/list',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'List albums',
    description:
      'The own albums and those that others share with the account. Favourites first, then the newest. Counts, days and covers are of the photos and films that the account may see now: what is in the trash or no longer shared is left out.',
    params: z.object({}),
    data: z.object({ albums: z.array(albumSchema) }),
    run: async ({ principal }) => ({
      albums: await replies(context, principal, await visibleAlbums(context, principal)),
    }),
  }),

  json({
    path: 'albums/add',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Add an album',
    description:
      'A list, to which photos and films are added. Only the account that added it sees it, until it shares it.',
    params: z.object({ title: text().describe('1 to 200 characters.') }),
    data: albumSchema,
    run: async ({ params: { title }, principal }) => {
      const { uuid: album } = await addAlbum(context, principal, title);
      return reply(context, principal, await visibleAlbum(context, principal, album, 'albums/add'));
    },
  }),

  json({
    path: 'albums/folder',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Show a folder as an album',
    description:
      'The album has the photos and films that are directly in the folder, and its name. If the folder is shown already, its album is returned. `albums/delete` with that album ends it.',
    params: z.object(itemName()),
    data: albumSchema,
    run: async ({ params, principal }) => {
      const { uuid: album } = await showFolder(context, principal, params);
      return reply(context, principal, await visibleAlbum(context, principal, album, 'albums/folder'));
    },
  }),

  json({
    path: 'albums/edit',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Change an album',
    description:
      'What is not sent stays. An album of a folder has the name of the folder, and is always sorted by time.',
    params: z.object({
      album: albumName(),
      title: text().optional().describe('1 to 200 characters.'),
      order: oneOf(ALBUM_ORDERS).optional().describe('How it is sorted.'),
      cover: orNothing(uuid())
        .optional()
        .describe('The uuid of a photo or film in the album; empty for the first one.'),
    }),
    data: albumSchema,
    run: async ({ params: { album, ...changes }, principal }) => {
      await editAlbum(context, principal, album, changes);
      return reply(context, principal, await visibleAlbum(context, principal, album, 'albums/edit'));
    },
  }),

  json({
    path: 'albums/delete',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Delete an album',
    description: 'The photos and films stay, and so does the folder of an album of a folder.',
    params: z.object({ album: albumName() }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await deleteAlbum(context, principal, params.album);
      return {};
    },
  }),

  json({
    path: 'albums/items',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'List the photos and films of an album',
    description:
      'The same fields as in `files/browse`, and `taken`: the local time at which it was taken. In a shared album also `added_by`: who added it, if the account may know. An item that the account has only through the album has a path in `/ALBUMS`, which works with `files/info`, `files/thumbnail` and `files/download`. Items that the account cannot see, or that are in the trash, are neither listed nor counted.',
    params: z.object({
      album: albumName(),
      details: listOf(DETAIL_KEYS).default([]).describe('Extra fields for each item.'),
      start: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).default(0).describe('Number of items to skip.'),
      limit: integer({ min: 1, max: 1_000 }).default(1_000).describe('Maximum number of items.'),
    }),
    data: z.object({
      album: albumSchema,
      total: z.int().nonnegative(),
      files: z.array(listedItemSchema.extend({ taken: z.string(), added_by: personSchema.optional() })),
    }),
    run: async ({ params: { album: name, start, limit, details }, principal, request }) => {
      const album = await visibleAlbum(context, principal, name);
      const members = album.members.slice(start, start + limit);
      const items = await describedMembers(context, principal, [{ ...album, members }], {
        details,
        address: `${ownAddress(request)}${basePath}`,
      });
      const people = await addersOf(context, principal, album, items);
      return {
        album: await reply(context, principal, album),
        total: album.members.length,
        files: items.map(({ id: _, grant: _grant, addedBy, local, ...item }) => ({
          ...item,
          taken: new Date(local).toISOString().slice(0, 19),
          ...optional('added_by', people.get(addedBy ?? 0)),
        })),
      };
    },
  }),

  json({
    path: 'albums/items/add',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Add photos and films to an album',
    description:
      'Adds all items or none. Items that are already in the album keep their position, unless `before` is sent: then all of `items` are put before that item. The position matters in albums that are sorted by hand. An album contains no copies.\n\nIn a shared album, those it is shared with see the items that the account adds from its own home; what others share with the account, they see only if they may anyway. This needs the scope `share`, too.',
    params: z.object({
      album: albumName(),
      items: someItems(),
      before: uuid().optional().describe('The uuid of a photo or film in the album.'),
    }),
    data: albumSchema,
    run: async ({ params: { album, items, before }, principal }) => {
      await addToAlbum(context, principal, album, items.map(itemNamed), before);
      return reply(context, principal, await visibleAlbum(context, principal, album, 'albums/items/add'));
    },
  }),

  json({
    path: 'albums/items/remove',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Remove photos and films from an album',
    description:
      'The files stay. Items that are not in the album are ignored. In the album of another person, only items that the account added can be removed.',
    params: z.object({
      album: albumName(),
      items: records(z.strictObject({ uuid: z.uuid() }), MAX_ITEMS).describe('Photos and films, each with its `uuid`.'),
    }),
    data: albumSchema,
    run: async ({ params: { album, items }, principal }) => {
      const uuids = items.map((item) => item.uuid.toLowerCase());
      await removeFromAlbum(context, principal, album, uuids);
      return reply(context, principal, await visibleAlbum(context, principal, album, 'albums/items/remove'));
    },
  }),

  json({
    path: 'albums/shares',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'List whom an album is shared with',
    description: 'Its owner and everyone it is shared with may know. Names that the account may not know are replaced.',
    params: z.object({ album: albumName() }),
    data: z.object({ shares: z.array(shareSchema) }),
    run: async ({ params: { album }, principal }) => ({
      shares: (await albumSharesOf(context, principal, album)).map(({ to: { recipient, name, kind }, role }) => ({
        ...(recipient.uid === null ? { gid: recipient.gid } : { uid: recipient.uid }),
        ...{ name, kind, role },
      })),
    }),
  }),

  json({
    path: 'albums/share',
    methods: ['POST'],
    scopes: ['share'],
    summary: 'Share an album',
    description:
      'Shares the own list `album` with a user (`uid`) or a group (`gid`), or changes the role. They see the items that the owner and those with the role `contribute` added from their own homes, can download them, and see nothing else of the folders that contain them. An item is no longer seen once it is deleted, in the trash, or in another home. Albums of folders and favourites cannot be shared: share the folder.',
    params: z.object({
      album: albumName(),
      ...recipient(),
      role: oneOf(ALBUM_ROLES).default('view').describe('See the album, or also add own photos to it.'),
    }),
    data: albumSchema,
    run: async ({ params: { album, ...share }, principal }) => {
      await shareAlbum(context, principal, album, share);
      return reply(context, principal, await visibleAlbum(context, principal, album, 'albums/share'));
    },
  }),

  json({
    path: 'albums/unshare',
    methods: ['POST'],
    scopes: ['share'],
    summary: 'Stop sharing an album, or leave it',
    description:
      'The owner ends the sharing with the user `uid` or the group `gid`. Others leave the album by their own `uid`. If they have it through a group, it is hidden from them until it is shared again. What those who no longer have the album added to it leaves it, too.',
    params: z.object({ album: albumName(), ...recipient() }),
    data: z.object({}),
    run: async ({ params: { album, ...named }, principal }) => {
      await unshareAlbum(context, principal, album, named);
      return {};
    },
  }),
];

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value };
}

function itemNamed({ path, uuid: written }: z.output<typeof named>) {
  return {
    ...(path === undefined ? {} : { path: path.split('/').filter((segment) => segment !== '') }),
    ...(written === undefined ? {} : { uuid: written.toLowerCase() }),
  };
}

async function reply(context: AlbumChangesContext, caller: AccountCaller, album: VisibleAlbum): Promise<AlbumReply> {
  const [only] = await replies(context, caller, [album]);
  if (only === undefined) throw new Error('an album has no reply');
  return only;
}

async function replies(
  context: AlbumChangesContext,
  caller: AccountCaller,
  albums: readonly VisibleAlbum[],
): Promise<AlbumReply[]> {
  const covers = await coversOf(context, caller, albums, { details: ['uuid'], address: '' });
  return albums.map((visible) => {
    const { album, kind, title, order, photos, films, members, folder, record, reach } = visible;
    const times = members.map(({ local }) => local);
    const cover = covers.get(visible);
    return {
      ...{ album, kind, title, order, photos, films, folder, role: reach.role, shared: reach.isShared },
      owner: { id: reach.owner.id, name: displayName(reach.owner) },
      created: record === null ? null : isoSeconds(record.createdAt),
      from: dayOf(times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY)),
      to: dayOf(times.reduce((last, time) => Math.max(last, time), Number.NEGATIVE_INFINITY)),
      cover: cover?.uuid === undefined ? null : { path: cover.path, uuid: cover.uuid },
    };
  });
}

/** @param time as if it were UTC; infinite if there is none */
function dayOf(time: number): string | null {
  return Number.isFinite(time) ? new Date(time).toISOString().slice(0, 10) : null;
}
