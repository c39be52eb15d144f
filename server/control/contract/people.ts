import { z } from 'zod';

/** The owner's operations on groups, roles and home folders. */

const group = z.object({
  id: z.int(),
  name: z.string(),
  /** The independent administrator whose group it is; null for a group of the household. */
  ownerId: z.int().nullable(),
  members: z.int(),
  createdAt: z.string(),
});

const role = z.object({
  id: z.int(),
  name: z.string(),
  /** All of them, by the names of the API document. */
  permissions: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  homeTemplate: z.string(),
  accounts: z.int(),
  createdAt: z.string(),
});

/** Omitted ones have their default. */
const permissions = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const home = z.object({
  id: z.string(),
  /** Absolute, with forward slashes. */
  path: z.string(),
  /** Null for an orphaned home: its account was deleted, or has another one. */
  accountId: z.int().nullable(),
  /** Of the account, or of its last owner. */
  username: z.string(),
  orphaned: z.boolean(),
  /** Whether its disk is available. */
  online: z.boolean(),
  /** Files, earlier versions and deleted items, in bytes. */
  usedBytes: z.int(),
  createdAt: z.string(),
});

const trashedHome = z.object({
  id: z.string(),
  /** Its former location. */
  originalPath: z.string(),
  /** Its location in the trash. */
  path: z.string(),
  username: z.string(),
  online: z.boolean(),
  usedBytes: z.int(),
  deletedAt: z.string(),
});

const id = z.strictObject({ id: z.int() });
const homeId = z.strictObject({ id: z.string() });

export const peopleMethods = {
  'groups.list': {
    summary: 'The groups: all, those of the household (ownerId null), or those of an independent administrator',
    may: ['owner'],
    input: z.strictObject({ ownerId: z.int().nullable().optional() }),
    output: z.object({ groups: z.array(group) }),
  },
  'groups.add': {
    summary: 'Make a group',
    may: ['owner'],
    input: z.strictObject({ name: z.string(), ownerId: z.int().nullable().optional() }),
    output: group,
  },
  'groups.rename': {
    summary: 'Give a group another name',
    may: ['owner'],
    input: z.strictObject({ id: z.int(), name: z.string() }),
    output: group,
  },
  'groups.remove': {
    summary: 'Remove a group; its members stay',
    may: ['owner'],
    input: id,
    output: z.object({ id: z.int() }),
  },
  'groups.members': {
    summary: 'The ids of the accounts in a group',
    may: ['owner'],
    input: id,
    output: z.object({ id: z.int(), accountIds: z.array(z.int()) }),
  },
  'groups.setMembers': {
    summary: 'Put exactly these accounts into a group',
    may: ['owner'],
    input: z.strictObject({ id: z.int(), accountIds: z.array(z.int()).max(10_000) }),
    output: group,
  },
  'roles.list': {
    summary: 'The roles, and how many accounts have each',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ roles: z.array(role) }),
  },
  'roles.add': {
    summary: 'Make a role: permissions under one name; what is not given has its default',
    may: ['owner'],
    input: z.strictObject({
      name: z.string(),
      permissions: permissions.default({}),
      /** With {USERNAME}, {NAME}, {EMAIL} and {COMPANY}; empty: the default location. */
      homeTemplate: z.string().default(''),
    }),
    output: role,
  },
  'roles.update': {
    summary: 'Change a role for everybody who has it; permissions are given as a whole',
    may: ['owner'],
    input: z.strictObject({
      id: z.int(),
      name: z.string().optional(),
      permissions: permissions.optional(),
      homeTemplate: z.string().optional(),
    }),
    output: role,
  },
  'roles.remove': {
    summary: 'Remove a role; with "force" also while accounts have it, who have their own permissions then',
    may: ['owner'],
    input: z.strictObject({ id: z.int(), force: z.boolean().default(false) }),
    output: z.object({ id: z.int() }),
  },
  'homes.list': {
    summary: 'The home folders: where they are, whose, and how much they take',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ homes: z.array(home) }),
  },
  'homes.forget': {
    summary: 'Forget a home that is nobody’s and whose folder is gone for good',
    may: ['owner'],
    input: homeId,
    output: z.object({ id: z.string() }),
  },
  'homes.cancelCheck': {
    summary: 'End what compares every file with what is remembered; it comes again by itself within a day',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ homes: z.int() }),
  },
  'homes.check': {
    summary: 'Compare every file of a home, or of all homes, with the disk, as is done by itself once a day',
    may: ['owner'],
    input: z.strictObject({ id: z.string().optional() }),
    output: z.object({ homes: z.int() }),
  },
  'homes.trash.list': {
    summary: 'The home folders of deleted accounts that are in the trash',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ homes: z.array(trashedHome) }),
  },
  'homes.trash.add': {
    summary: 'Put a home folder that is nobody’s into the trash',
    may: ['owner'],
    input: homeId,
    output: trashedHome,
  },
  'homes.trash.restore': {
    summary: 'Put a home folder back where it was, as one that can be given to somebody',
    may: ['owner'],
    input: homeId,
    output: home,
  },
  'homes.trash.delete': {
    summary: 'Delete a home folder for good, with all its files, versions and deleted items',
    may: ['owner'],
    input: homeId,
    output: z.object({ id: z.string() }),
  },
} as const;
