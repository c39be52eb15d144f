import { z } from 'zod';

/** What people have given out: web links, and shares with people. */

const item = z.object({
  name: z.string(),
  /** Below the home, with slashes; of what is in the trash, below that. */
  path: z.string(),
  isDir: z.boolean(),
  state: z.enum(['there', 'missing', 'trashed']),
  /** Whose home it is in; null for one that is nobody's. */
  owner: z.string().nullable(),
});

const person = z.object({ id: z.int(), username: z.string() });

const link = z.object({
  /** Its name among ourselves. The address is told to nobody but its maker: whoever has it may come. */
  number: z.int(),
  item,
  by: person,
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  /** 0: as many as are wanted. */
  downloadLimit: z.int(),
  downloads: z.int(),
  hasPassword: z.boolean(),
  requiresLogin: z.boolean(),
  /** Whether visitors may send files. */
  takesUploads: z.boolean(),
  givesDownloads: z.boolean(),
  ended: z.boolean(),
});

const share = z.object({
  id: z.int(),
  item,
  by: person,
  with: z.object({ kind: z.enum(['user', 'group', 'guest']), name: z.string() }),
  rights: z.array(z.enum(['upload', 'download', 'comment', 'read_comments', 'alter', 'share'])),
  createdAt: z.string(),
});

const page = {
  /** A part of the name of the file or folder, or of whoever made it. */
  text: z.string().max(200).default(''),
  by: z.int().optional(),
  /** `next` of the page before. */
  before: z.int().positive().optional(),
  limit: z.int().min(1).max(500).default(100),
};

export const sharesAndLinksMethods = {
  'links.list': {
    summary: 'Web links of everybody, the newest first',
    may: ['owner'],
    input: z.strictObject(page),
    output: z.object({ links: z.array(link), next: z.int().nullable(), total: z.int() }),
  },
  'links.remove': {
    summary: 'End web links, whoever made them',
    may: ['owner'],
    input: z.strictObject({ numbers: z.array(z.int()).min(1).max(500) }),
    output: z.object({ removed: z.int() }),
  },
  'shares.list': {
    summary: 'What everybody shares with whom, the newest first',
    may: ['owner'],
    input: z.strictObject(page),
    output: z.object({ shares: z.array(share), next: z.int().nullable(), total: z.int() }),
  },
  'shares.remove': {
    summary: 'End shares, whoever made them, and those that were made through them',
    may: ['owner'],
    input: z.strictObject({ ids: z.array(z.int()).min(1).max(500) }),
    output: z.object({ removed: z.int() }),
  },
} as const;
