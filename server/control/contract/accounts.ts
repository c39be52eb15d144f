import { z } from 'zod';

/** The owner's view of people: accounts, their permissions, and where they are signed in. */

/** Permissions under the names of the API document; the server checks them. */
const permissions = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const changes = z.strictObject({
  username: z.string().optional(),
  name: z.string().optional(),
  lastName: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  company: z.string().optional(),
  website: z.string().optional(),
  description: z.string().optional(),
  logoUrl: z.string().optional(),
  receiveNotifications: z.boolean().optional(),
  activated: z.boolean().optional(),
  /** ISO 8601 with a zone; null: never. */
  expirationDate: z.iso.datetime({ offset: true }).nullable().optional(),
  requirePasswordChange: z.boolean().optional(),
  twoStepEnabled: z.boolean().optional(),
  password: z.string().optional(),
  generatePassword: z.boolean().optional(),
  ownerId: z.int().nullable().optional(),
  permissions: permissions.optional(),
  roleId: z.int().nullable().optional(),
  groups: z.array(z.string()).optional(),
  /** An absolute path; null unassigns the home, whose files stay. */
  homeFolder: z.string().nullable().optional(),
  /** Whether `homeFolder` may be a folder that contains files, or the home of a deleted account. */
  adoptHomeFolder: z.boolean().optional(),
  createHomeFolder: z.boolean().optional(),
});

/** The colour of a person's avatar. */
const tint = z.enum(['damson', 'slate', 'clay', 'bay']);

const account = z.object({
  id: z.int(),
  type: z.enum(['superuser', 'user', 'guest']),
  username: z.string(),
  name: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  company: z.string(),
  website: z.string(),
  description: z.string(),
  logoUrl: z.string(),
  receiveNotifications: z.boolean(),
  activated: z.boolean(),
  deactivatedReason: z.enum(['wrong_passwords', 'administrator']).nullable(),
  expirationDate: z.string().nullable(),
  requirePasswordChange: z.boolean(),
  twoStepEnabled: z.boolean(),
  ownerId: z.int().nullable(),
  roleId: z.int().nullable(),
  /** The effective permissions of the account. */
  permissions,
  /** Its own, without its role. */
  ownPermissions: permissions,
  groups: z.array(z.string()),
  homeFolder: z.string().nullable(),
  usedBytes: z.number(),
  registeredAt: z.string(),
  lastLoginAt: z.string().nullable(),
  failedLoginAttempts: z.int(),
  hasPassword: z.boolean(),
  tint,
});

const summary = z.object({
  id: z.int(),
  type: z.enum(['superuser', 'user', 'guest']),
  username: z.string(),
  name: z.string(),
  lastName: z.string(),
  email: z.string(),
  activated: z.boolean(),
  expirationDate: z.string().nullable(),
  twoStepEnabled: z.boolean(),
  adminType: z.enum(['simple', 'indep']).nullable(),
  roleId: z.int().nullable(),
  groups: z.array(z.string()),
  usedBytes: z.number(),
  /** Megabytes; 0: no limit. */
  quota: z.int(),
  lastLoginAt: z.string().nullable(),
  failedLoginAttempts: z.int(),
  /** Without one, nobody can sign in by password. */
  hasPassword: z.boolean(),
  ownerId: z.int().nullable(),
  tint,
});

const result = z.object({ id: z.int(), success: z.boolean(), message: z.string() });

const which = { id: z.int().optional(), username: z.string().optional() };

export const accountMethods = {
  'accounts.list': {
    summary: 'List accounts, with search, sorting and paging',
    may: ['owner'],
    input: z.strictObject({
      /** A part of a name, user name or e-mail address. */
      text: z.string().max(200).optional(),
      group: z.int().optional(),
      role: z.int().optional(),
      owner: z.int().optional(),
      /** Only accounts with these ids. */
      ids: z.array(z.int()).max(500).optional(),
      /** Guests, or all other accounts. */
      kind: z.enum(['people', 'guests']).optional(),
      state: z.enum(['active', 'deactivated', 'expired', 'administrators', 'guests']).optional(),
      sort: z.enum(['username', 'name', 'used', 'lastLogin', 'registered']).default('username'),
      order: z.enum(['asc', 'desc']).default('asc'),
      start: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
    output: z.object({ accounts: z.array(summary), total: z.int() }),
  },
  'accounts.get': {
    summary: 'Get one account by ID or username',
    may: ['owner'],
    input: z.strictObject(which),
    output: account,
  },
  'accounts.face': {
    summary: 'Get the name and picture of an account',
    may: ['owner'],
    input: z.strictObject({ id: z.int() }),
    output: z.object({
      name: z.string(),
      /** With the last name. */
      fullName: z.string(),
      tint,
      /** A small square JPEG in base64; null if none is set. */
      picture: z.string().nullable(),
    }),
  },
  'accounts.add': {
    summary: 'Add an account',
    may: ['owner'],
    input: changes.extend({ username: z.string(), name: z.string() }),
    output: account.extend({ generatedPassword: z.string().nullable() }),
  },
  'accounts.update': {
    summary: 'Change an account; omitted fields remain unchanged',
    may: ['owner'],
    input: changes.extend({ id: z.int().optional(), newUsername: z.string().optional() }),
    output: account.extend({ generatedPassword: z.string().nullable() }),
  },
  'accounts.updateMany': {
    summary: 'Apply the same change to several accounts',
    may: ['owner'],
    input: z.strictObject({
      ids: z.array(z.int()).min(1).max(10_000),
      changes: changes.omit({
        username: true,
        password: true,
        generatePassword: true,
        homeFolder: true,
        adoptHomeFolder: true,
      }),
    }),
    output: z.object({ results: z.array(result) }),
  },
  'accounts.remove': {
    summary: 'Delete accounts; their files remain unless "deleteHomeFolder" is set',
    may: ['owner'],
    input: z.strictObject({ ids: z.array(z.int()).min(1).max(10_000), deleteHomeFolder: z.boolean().default(false) }),
    output: z.object({ results: z.array(result) }),
  },
  'accounts.activate': {
    summary: 'Reactivate a deactivated account',
    may: ['owner'],
    input: z.strictObject({ username: z.string() }),
    output: z.object({ username: z.string(), activated: z.literal(true) }),
  },
  'accounts.export': {
    summary: 'Export all accounts as CSV, without passwords',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ csv: z.string() }),
  },
  'accounts.import': {
    summary: 'Import accounts from CSV; "check" only reports what would happen',
    may: ['owner'],
    input: z.strictObject({
      csv: z.string().max(10_000_000),
      check: z.boolean().default(false),
      /** Updates existing accounts; otherwise their lines are refused. */
      update: z.boolean().default(false),
      createHomeFolders: z.boolean().default(true),
      generatePasswords: z.boolean().default(true),
      /** To import in parts and show progress: how many lines of people to skip, and how many to process. */
      skip: z.int().min(0).default(0),
      most: z.int().min(1).default(1_000_000),
    }),
    output: z.object({
      lines: z.array(
        z.object({
          line: z.int(),
          username: z.string(),
          name: z.string(),
          /** The role that the line names; empty for none. */
          role: z.string(),
          hasHome: z.boolean(),
          outcome: z.enum(['added', 'changed', 'refused']),
          message: z.string(),
          generatedPassword: z.string().nullable(),
        }),
      ),
      /** Lines of people in the whole file. */
      total: z.int(),
    }),
  },
  'authorizations.list': {
    summary: 'List authorizations',
    may: ['owner'],
    input: z.strictObject({ accountId: z.int().optional(), clientId: z.string().optional() }),
    output: z.object({
      authorizations: z.array(
        z.object({
          id: z.int(),
          accountId: z.int(),
          username: z.string(),
          clientId: z.string(),
          client: z.string(),
          scopes: z.array(z.string()),
          grantedAt: z.string(),
          grantedFrom: z.string(),
          lastUsedAt: z.string().nullable(),
        }),
      ),
    }),
  },
  'authorizations.revoke': {
    summary: 'Revoke an authorization; its tokens stop working immediately',
    may: ['owner'],
    input: z.strictObject({ id: z.int() }),
    output: z.object({ id: z.int() }),
  },
  'appPasswords.list': {
    summary: "List an account's app passwords, without the passwords themselves",
    may: ['owner'],
    input: z.strictObject({ accountId: z.int() }),
    output: z.object({
      appPasswords: z.array(
        z.object({
          id: z.int(),
          label: z.string(),
          /** The program that was chosen on the account page; null for another one. */
          program: z.string().nullable(),
          /** The app that created it; null where the person did. */
          app: z.string().nullable(),
          scopes: z.array(z.string()),
          readOnly: z.boolean(),
          isFolderOnly: z.boolean(),
          createdAt: z.string(),
          expiresAt: z.string().nullable(),
          lastUsedAt: z.string().nullable(),
          lastAddress: z.string(),
          lastUserAgent: z.string(),
        }),
      ),
    }),
  },
  'appPasswords.revoke': {
    summary: 'Revoke an app password; programs that use it lose access immediately',
    may: ['owner'],
    input: z.strictObject({ accountId: z.int(), id: z.int() }),
    output: z.object({ id: z.int() }),
  },
  'sessions.list': {
    summary: "List an account's browser sessions",
    may: ['owner'],
    input: z.strictObject({ accountId: z.int() }),
    output: z.object({
      sessions: z.array(
        z.object({
          id: z.int(),
          kept: z.boolean(),
          createdAt: z.string(),
          lastSeenAt: z.string(),
          address: z.string(),
          browser: z.string(),
        }),
      ),
    }),
  },
  'sessions.end': {
    summary: 'End one browser session, or all sessions, app authorizations and app passwords of an account',
    may: ['owner'],
    input: z.strictObject({ accountId: z.int(), id: z.int().optional() }),
    output: z.object({ accountId: z.int() }),
  },
} as const;
