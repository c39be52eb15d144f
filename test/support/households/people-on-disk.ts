import { type Access, createAccess } from '../../../dist/server/access/access.js';
import type { AccountCaller } from '../../../dist/server/access/caller.js';
import { createSharedAccess, type SharedAccess } from '../../../dist/server/access/shared.js';
import { type AccountRecord, createAccounts } from '../../../dist/server/accounts/accounts.js';
import type { Permissions } from '../../../dist/server/accounts/permissions/permissions.js';
import { systemClock } from '../../../dist/server/lib/clock.js';
import { createEvents, type Events } from '../../../dist/server/lib/events.js';
import { SHARE_FLAGS, type ShareFlag, type ShareFlags } from '../../../dist/server/shares/share-record.js';
import { createShares, type Shares } from '../../../dist/server/shares/shares.js';
import { HomeOnDisk } from './home-on-disk.ts';

export interface GivenShare {
  readonly itemId: number;
  readonly by: number;
  readonly to?: number;
  readonly toGroup?: number;
  readonly via?: number;
  readonly flags?: readonly ShareFlag[];
  readonly alias?: string;
  readonly isAnonymous?: boolean;
}

/** People and their shares, on a real database and disk, without a server. Ann has the first home. */
export class PeopleOnDisk {
  readonly disk: HomeOnDisk;
  readonly shares: Shares;
  readonly shared: SharedAccess;
  readonly access: Access;
  readonly events: Events;
  /** Ann's id. */
  ann = 0;
  #time = 0;

  private constructor(disk: HomeOnDisk) {
    const { database, homes } = disk;
    const clock = { now: () => systemClock.now() + this.#time };
    this.disk = disk;
    this.events = createEvents((error) => {
      throw error;
    });
    this.shares = createShares(database.files, clock);
    const accounts = createAccounts(database, clock, this.events);
    this.shared = createSharedAccess({ shares: this.shares, accounts, homes, database, clock });
    this.access = createAccess(homes, this.shared, database);
  }

  static async open(): Promise<PeopleOnDisk> {
    const people = new PeopleOnDisk(await HomeOnDisk.open());
    people.ann = await people.add('ann', { homeId: people.disk.home.id });
    return people;
  }

  /** Advances the clock, in milliseconds. */
  later(time: number): void {
    this.#time += time;
  }

  async add(
    username: string,
    {
      homeId = null,
      guestOf = null,
      permissions = {},
    }: { homeId?: string | null; guestOf?: number | null; permissions?: Partial<Permissions> } = {},
  ): Promise<number> {
    const { lastId } = await this.disk.database.write((tx) =>
      tx.run(
        `INSERT INTO accounts (type, username, username_fold, name, registered_at, home_id, guest_of, permissions)
         VALUES (?1, ?2, ?2, ?2, 0, ?3, ?4, ?5)`,
        [guestOf === null ? 'user' : 'guest', username, homeId, guestOf, JSON.stringify(permissions)],
      ),
    );
    return lastId;
  }

  permit(id: number, permissions: Partial<Permissions>): Promise<unknown> {
    return this.run('UPDATE accounts SET permissions = ? WHERE id = ?', JSON.stringify(permissions), id);
  }

  async group(...members: number[]): Promise<number> {
    const sql = 'INSERT INTO groups (name, name_fold, created_at) VALUES (hex(randomblob(8)), hex(randomblob(8)), 0)';
    const { lastId } = await this.disk.database.write((tx) => tx.run(sql));
    for (const id of members) {
      await this.run('INSERT INTO group_members (group_id, account_id) VALUES (?, ?)', lastId, id);
    }
    return lastId;
  }

  share({
    itemId,
    by,
    to,
    toGroup,
    via,
    flags = SHARE_FLAGS,
    alias = '',
    isAnonymous = false,
  }: GivenShare): Promise<number> {
    const recipient = to === undefined ? { uid: null, gid: toGroup ?? 0 } : { uid: to, gid: null };
    const terms = { isAnonymous, alias, flags: flagsOf(flags) };
    return this.disk.database.write((tx) =>
      this.shares.add(tx, { itemId, sharerId: by, viaId: via ?? null, recipient, ...terms }),
    );
  }

  unshare(id: number): Promise<void> {
    return this.disk.database.write((tx) => this.shares.remove(tx, id));
  }

  async account(id: number): Promise<AccountRecord> {
    const account = await createAccounts(this.disk.database, systemClock, this.events).byId(id);
    if (account === null) throw new Error('there is no such account');
    return account;
  }

  async caller(id: number): Promise<AccountCaller> {
    return { account: await this.account(id), channel: 'app', client: null, address: null };
  }

  run(sql: string, ...params: (string | number | null)[]): Promise<unknown> {
    return this.disk.database.write((tx) => tx.run(sql, params));
  }

  close(): Promise<void> {
    return this.disk.close();
  }
}

/** The names of the set flags. */
export function namesOf(flags: ShareFlags | undefined): ShareFlag[] {
  return SHARE_FLAGS.filter((flag) => flags?.[flag]);
}

function flagsOf(set: readonly ShareFlag[]): ShareFlags {
  return Object.fromEntries(SHARE_FLAGS.map((flag) => [flag, set.includes(flag)])) as ShareFlags;
}
