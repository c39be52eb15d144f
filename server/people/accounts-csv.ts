import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { AccountProblem, type AccountRecord, type Accounts } from '../accounts/accounts.ts';
import type { Roles } from '../accounts/permissions/roles.ts';
import { foldUsername } from '../accounts/usernames.ts';
import { localSeconds, parseDatetime } from '../lib/datetime.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import { csvSeparator } from '../lib/text/csv-separator.ts';
import { t } from '../messages/messages.ts';
import type { AccountChanges } from './account-changes.ts';
import type { Authority, ManageAccounts } from './manage-accounts.ts';

/** People as a table for spreadsheets. */

const COLUMNS = [
  'username',
  'name',
  'last_name',
  'email',
  'phone',
  'company',
  'website',
  'description',
  'groups',
  'role',
  'activated',
  'expiration_date',
  'space_quota_max',
] as const;

type Column = (typeof COLUMNS)[number];
type Line = Partial<Record<Column | 'password', string>>;

/** Separates several groups in one cell. No group name contains it. */
const BETWEEN_GROUPS = ',';

/**
 * RFC 4180, with a header; a cell that a spreadsheet would read as a formula begins with an apostrophe.
 * @param roles the names of roles, by their ids
 */
export function accountsToCsv(
  people: readonly { account: AccountRecord; groups: readonly string[] }[],
  roles: ReadonlyMap<number, string>,
): string {
  const lines = people.map(({ account, groups }) => ({
    username: account.username,
    name: account.name,
    last_name: account.lastName,
    email: account.email,
    phone: account.phone,
    company: account.company,
    website: account.website,
    description: account.description,
    groups: groups.join(BETWEEN_GROUPS),
    role: roles.get(account.roleId ?? 0) ?? '',
    activated: account.isSwitchedOff ? '0' : '1',
    expiration_date: account.expiresAt === null ? '' : localSeconds(account.expiresAt),
    space_quota_max: String(account.ownPermissions.space_quota_max),
  }));
  return stringify(lines, { header: true, columns: [...COLUMNS], escape_formulas: true, record_delimiter: 'windows' });
}

interface ImportedLine {
  /** As in the file; the header is line 1. */
  readonly line: number;
  readonly username: string;
  readonly name: string;
  /** The role that the line names; empty for none. */
  readonly role: string;
  /** Whether the person has a home folder then. */
  readonly hasHome: boolean;
  readonly outcome: 'added' | 'changed' | 'refused';
  readonly message: string;
  readonly generatedPassword: string | null;
}

interface ImportOptions {
  /** Only reports what would happen. */
  readonly check: boolean;
  readonly update: boolean;
  readonly createHomeFolders: boolean;
  readonly generatePasswords: boolean;
  /** Lines of people to skip, because they were imported before. */
  readonly skip: number;
  /** Lines that are imported at most. */
  readonly most: number;
}

interface Imported {
  readonly lines: readonly ImportedLine[];
  /** Lines of people in the file. */
  readonly total: number;
}

/**
 * Adds or changes accounts, one line after the other; a refused line does not affect the others.
 * @throws AccountProblem when it is not CSV, has no column `username`, or one that is not known
 */
export async function importAccounts(
  { accounts, manage, roles }: { accounts: Accounts; manage: ManageAccounts; roles: Pick<Roles, 'list'> },
  csv: string,
  { check, update, createHomeFolders, generatePasswords, skip, most }: ImportOptions,
  authority: Authority,
): Promise<Imported> {
  const seen = new Set<string>();
  const roleIds = new Map((await roles.list()).map(({ id, name }) => [name, id]));
  const all = linesOf(csv);
  const lines = all.slice(skip, skip + most);
  // An import in parts behaves like a single one: a name belongs to the first valid line.
  for (const { record } of all.slice(0, skip)) passOver(record);
  const results: ImportedLine[] = [];
  // In batches, so that their writes are flushed together.
  for (let start = 0; start < lines.length; start += BATCH_SIZE) {
    results.push(...(await Promise.all(lines.slice(start, start + BATCH_SIZE).map(importLine))));
  }
  return { lines: results, total: all.length };

  function read(record: Line): AccountChanges {
    const changes = changesOf(record, roleIds);
    const key = foldUsername(record.username ?? '');
    if (seen.has(key)) throw new AccountProblem('username', t('api.import.duplicate'));
    seen.add(key);
    return changes;
  }

  function passOver(record: Line): void {
    try {
      read(record);
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
    }
  }

  async function importLine({ record, line }: { record: Line; line: number }): Promise<ImportedLine> {
    const { username = '', name = '', role = '' } = record;
    let hasHome = false;
    const lineOf = (outcome: ImportedLine['outcome'], message: string, generatedPassword: string | null = null) => ({
      line,
      username,
      name,
      role,
      hasHome,
      outcome,
      message,
      generatedPassword,
    });
    try {
      const changes = read(record);
      const present = await accounts.byUsername(username);
      hasHome = present === null ? createHomeFolders : present.homeId !== null;
      if (present !== null && !update) throw new AccountProblem('username', t('api.accounts.usernameInUse'));
      const decided: Authority = check ? { ...authority, checkOutcome: onlyChecking } : authority;
      if (present !== null) {
        const edited = await manage.edit(present.id, changes, decided);
        if (edited === null) throw new AccountProblem('username', t('api.accounts.notFound'));
        return lineOf('changed', t('api.import.changed'));
      }
      if (!record.name) throw new AccountProblem('name', t('api.accounts.nameMissing'));
      // A check does not change the disk, and generates nothing.
      const made = generatePasswords && !check && changes.password === undefined ? { generatePassword: true } : {};
      const home = createHomeFolders && !check ? { createHomeFolder: true } : {};
      const added = await manage.add({ ...changes, ...made, ...home, username, name: record.name }, decided);
      return lineOf('added', t('api.import.added'), added.generatedPassword);
    } catch (error) {
      if (error instanceof Checked) {
        return error.isNew ? lineOf('added', t('api.import.wouldAdd')) : lineOf('changed', t('api.import.wouldChange'));
      }
      if (error instanceof FieldProblem) return lineOf('refused', error.message);
      throw error;
    }
  }
}

const BATCH_SIZE = 50;

/** Rolls back a transaction that was only a check. */
class Checked extends Error {
  readonly isNew: boolean;

  constructor(isNew: boolean) {
    super('only checked');
    this.isNew = isNew;
  }
}

const onlyChecking: Authority['checkOutcome'] = async ({ before }) => {
  throw new Checked(before === null);
};

function linesOf(csv: string): { record: Line; line: number }[] {
  try {
    const rows = parse(csv, {
      bom: true,
      columns: (names: string[]) => names.map(columnOf),
      trim: true,
      skip_empty_lines: true,
      info: true,
      delimiter: csvSeparator(csv),
    });
    const lines = rows as unknown as { record: Record<string, string>; info: { lines: number } }[];
    if (lines.length > 0 && !('username' in (lines[0]?.record ?? {}))) {
      throw new AccountProblem('csv', t('api.import.column'));
    }
    return lines.map(({ record, info }) => ({
      line: info.lines,
      record: Object.fromEntries(Object.entries(record).map(([name, cell]) => [name, plain(cell)])),
    }));
  } catch (error) {
    if (error instanceof AccountProblem) throw error;
    throw new AccountProblem('csv', t('api.import.csv', { reason: (error as Error).message }));
  }
}

/** @throws AccountProblem for one that is not known: what is in it would be lost without a word */
function columnOf(name: string): string {
  const column = name.trim().toLowerCase().replace(/[ -]+/g, '_');
  if (column === 'password' || COLUMNS.some((known) => known === column)) return column;
  throw new AccountProblem('csv', t('api.import.unknownColumn', { column: name, columns: COLUMNS.join(', ') }));
}

/** Without the apostrophe that prevents spreadsheets from evaluating it. */
function plain(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

function changesOf(record: Line, roleIds: ReadonlyMap<string, number>): AccountChanges {
  const texts = {
    ...(record.name ? { name: record.name } : {}),
    ...given('lastName', record.last_name),
    ...given('email', record.email),
    ...given('phone', record.phone),
    ...given('company', record.company),
    ...given('website', record.website),
    ...given('description', record.description),
    ...(record.password ? { password: record.password } : {}),
  };
  return {
    ...texts,
    ...(record.groups === undefined
      ? {}
      : {
          groups: record.groups
            .split(BETWEEN_GROUPS)
            .map((name) => name.trim())
            .filter(Boolean),
        }),
    ...(record.role === undefined ? {} : { roleId: roleOf(record.role, roleIds) }),
    ...(record.activated === undefined || record.activated === '' ? {} : { activated: switchOf(record.activated) }),
    ...(record.expiration_date === undefined ? {} : { expiresAt: embeddedDateOf(record.expiration_date) }),
    ...(record.space_quota_max === undefined || record.space_quota_max === ''
      ? {}
      : { permissions: { space_quota_max: quotaOf(record.space_quota_max) } }),
  };
}

function given(field: string, text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { [field]: text };
}

function roleOf(name: string, ids: ReadonlyMap<string, number>): number | null {
  if (name === '') return null;
  const id = ids.get(name);
  if (id === undefined) throw new AccountProblem('roleId', t('api.import.role', { role: name }));
  return id;
}

function switchOf(text: string): boolean {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  if (/^(?:0|false|no|off)$/i.test(text)) return false;
  throw new AccountProblem('activated', t('api.import.switch'));
}

function embeddedDateOf(text: string): number | null {
  if (text === '') return null;
  const time = parseDatetime(text);
  if (time === null) throw new AccountProblem('expiration_date', t('api.import.date'));
  return time;
}

function quotaOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new AccountProblem('space_quota_max', t('api.import.quota'));
}
