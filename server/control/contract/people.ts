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
  /** Files and folders, without deleted ones. */
  items: z.int(),
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
    summary: "List groups: all, the household's (ownerId null) or an independent administrator's",
    may: ['owner'],
    input: z.strictObject({ ownerId: z.int().nullable().optional() }),
    output: z.object({ groups: z.array(group) }),
  },
  'groups.add': {
    summary: 'Create a group',
    may: ['owner'],
    input: z.strictObject({ name: z.string(), ownerId: z.int().nullable().optional() }),
    output: group,
  },
  'groups.rename': {
    summary: 'Rename a group',
    may: ['owner'],
    input: z.strictObject({ id: z.int(), name: z.string() }),
    output: group,
  },
  'groups.remove': {
    summary: 'Delete a group; its members remain',
    may: ['owner'],
    input: id,
    output: z.object({ id: z.int() }),
  },
  'groups.members': {
    summary: "List the account IDs of a group's members",
    may: ['owner'],
    input: id,
    output: z.object({ id: z.int(), accountIds: z.array(z.int()) }),
  },
  'groups.setMembers': {
    summary: 'Replace the members of a group',
    may: ['owner'],
    input: z.strictObject({ id: z.int(), accountIds: z.array(z.int()).max(10_000) }),
    output: group,
  },
  'roles.list': {
    summary: 'List roles and the number of accounts with each',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ roles: z.array(role) }),
  },
  'roles.add': {
    summary: 'Create a role; omitted permissions have their defaults',
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
    summary: 'Change a role for all its accounts; "permissions" replaces the complete set',
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
    summary: 'Delete a role; "force" allows this while accounts have it, which then use their own permissions',
    may: ['owner'],
    input: z.strictObject({ id: z.int(), force: z.boolean().default(false) }),
    output: z.object({ id: z.int() }),
  },
  'homes.list': {
    summary: 'List home folders with location, owner and size',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ homes: z.array(home) }),
  },
  'homes.forget': {
    summary: 'Remove an unassigned home whose folder no longer exists',
    may: ['owner'],
    input: homeId,
    output: z.object({ id: z.string() }),
  },
  'homes.cancelCheck': {
    summary: 'Stop the running scan. The next one starts within a day.',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ homes: z.int() }),
  },
  'homes.check': {
    summary: 'Scan one home or all homes for changes; this also happens daily',
    may: ['owner'],
    input: z.strictObject({ id: z.string().optional() }),
    output: z.object({ homes: z.int() }),
  },
  'homes.trash.list': {
    summary: "List deleted accounts' home folders in the trash",
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ homes: z.array(trashedHome) }),
  },
  'homes.trash.add': {
    summary: 'Move an unassigned home folder to the trash',
    may: ['owner'],
    input: homeId,
    output: trashedHome,
  },
  'homes.trash.restore': {
    summary: 'Restore a home folder to its former location; it can then be assigned to an account',
    may: ['owner'],
    input: homeId,
    output: home,
  },
  'homes.trash.delete': {
    summary: 'Delete a home folder permanently with all its files, versions and trash',
    may: ['owner'],
    input: homeId,
    output: z.object({ id: z.string() }),
  },
} as const;
