import { z } from 'zod';

/** What people have shared: web links, and files, folders and albums with people. */

const item = z.object({
  name: z.string(),
  /** Below the home, with slashes; for an item in the trash, its path there. */
  path: z.string(),
  isDir: z.boolean(),
  state: z.enum(['there', 'missing', 'trashed']),
  /** The owner of its home; null for an orphaned one. */
  owner: z.string().nullable(),
});

const person = z.object({ id: z.int(), username: z.string() });

const link = z.object({
  /** Its internal number. Only its maker gets the address, because it gives access. */
  number: z.int(),
  item,
  /** How many items it opens now: those in the trash, and those that have left its album, do not count. */
  items: z.int(),
  /** The title of the album that it shows; null for a link to files and folders. */
  album: z.string().nullable(),
  by: person,
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  /** 0: unlimited. */
  downloadLimit: z.int(),
  downloads: z.int(),
  hasPassword: z.boolean(),
  requiresLogin: z.boolean(),
  /** Whether visitors may send files. */
  takesUploads: z.boolean(),
  givesDownloads: z.boolean(),
  ended: z.boolean(),
  /** Why it has ended: its time is over, or its downloads are used up. Null while it works, as far as the link itself goes. */
  endedBy: z.enum(['link_expired', 'link_used_up']).nullable(),
});

const recipient = z.object({ kind: z.enum(['user', 'group', 'guest']), name: z.string() });

const share = z.object({
  id: z.int(),
  item,
  by: person,
  with: recipient,
  rights: z.array(z.enum(['upload', 'download', 'comment', 'read_comments', 'alter', 'share'])),
  createdAt: z.string(),
});

const albumShare = z.object({
  id: z.int(),
  title: z.string(),
  /** How many photos and films are in the album, without those in the trash. */
  items: z.int(),
  by: person,
  with: recipient,
  role: z.enum(['view', 'contribute']),
  createdAt: z.string(),
});

const page = {
  /** A part of the name of the item or album, or of who shared it. */
  text: z.string().max(200).default(''),
  by: z.int().optional(),
  /** `next` of the previous page. */
  before: z.int().positive().optional(),
  limit: z.int().min(1).max(500).default(100),
};

export const sharesAndLinksMethods = {
  'links.list': {
    summary: "List everyone's web links, newest first",
    may: ['owner'],
    input: z.strictObject(page),
    output: z.object({ links: z.array(link), next: z.int().nullable(), total: z.int() }),
  },
  'links.remove': {
    summary: 'Delete web links of any account',
    may: ['owner'],
    input: z.strictObject({ numbers: z.array(z.int()).min(1).max(500) }),
    output: z.object({ removed: z.int() }),
  },
  'shares.list': {
    summary: "List everyone's shares, newest first",
    may: ['owner'],
    input: z.strictObject(page),
    output: z.object({ shares: z.array(share), next: z.int().nullable(), total: z.int() }),
  },
  'shares.remove': {
    summary: 'Delete shares of any account, and the reshares based on them',
    may: ['owner'],
    input: z.strictObject({ ids: z.array(z.int()).min(1).max(500) }),
    output: z.object({ removed: z.int() }),
  },
  'albumShares.list': {
    summary: "List with whom everyone's albums are shared, newest first",
    may: ['owner'],
    input: z.strictObject(page),
    output: z.object({ shares: z.array(albumShare), next: z.int().nullable(), total: z.int() }),
  },
  'albumShares.remove': {
    summary: 'Stop sharing albums of any account; what the recipients added leaves them',
    may: ['owner'],
    input: z.strictObject({ ids: z.array(z.int()).min(1).max(500) }),
    output: z.object({ removed: z.int() }),
  },
} as const;
