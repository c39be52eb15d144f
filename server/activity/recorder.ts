import type { ActivityDatabase } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { LARDER } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import type { ActivityGroup, ActivityRow } from './recipes.ts';
import { plainDetails, plainText } from './texts.ts';

/** Milliseconds that rows about files wait for others, to share one statement and one flush. */
const COLLECT = 500;
/** Milliseconds after which failed writes are retried. */
const RETRY = 5_000;
/** Rows per statement: concurrent uploads wait for it. */
const BATCH = 1_000;
/** Rows queued in memory while the database fails, and how many are dropped at a time. */
const MAX_WAITING = 20_000;
const ROOM = 1_000;

/** The prefix of an IPv4 address at a dual-stack listener. */
const MAPPED = /^::ffff:(?=\d+(?:\.\d+){3}$)/i;

interface Row {
  readonly group: ActivityGroup;
  /** The columns, in the order of the statement. */
  readonly values: readonly (string | number | null)[];
}

interface Recorder {
  /** Rows about files are written together with the next ones, all others at once. */
  add(group: ActivityGroup, row: ActivityRow): void;
  /** Writes what is queued. @returns false when that failed */
  flush(): Promise<boolean>;
  /** The same, and accepts nothing more. */
  close(): Promise<void>;
}

const INSERT = `INSERT INTO activity (at, kind_group, kind, account_id, username, client_id, client, channel, address, subject, details)
  SELECT ${Array.from({ length: 11 }, (_, column) => `value ->> ${column}`).join(', ')} FROM json_each(?) ORDER BY key`;

/** Collects rows and writes many of them with one statement, in the background. */
export function createRecorder({
  database,
  clock,
  log,
  onWritten,
}: {
  database: Pick<ActivityDatabase, 'writeOne'>;
  clock: Clock;
  log: Log;
  onWritten: (rows: number) => void;
}): Recorder {
  let waiting: Row[] = [];
  let dropped = 0;
  let added = 0;
  let settled = 0;
  let isUrgent = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | null = null;

  function later(milliseconds: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void write();
    }, milliseconds).unref();
  }

  /** One batch at a time. */
  function write(): Promise<boolean> {
    writing ??= writeBatch().then((isWritten) => {
      writing = null;
      if (waiting.length === 0 || isClosed) return isWritten;
      if (!isWritten) later(RETRY);
      else if (isUrgent || waiting.length >= BATCH) void write();
      else later(COLLECT);
      return isWritten;
    });
    return writing;
  }

  async function writeBatch(): Promise<boolean> {
    let batch: Row[] = [];
    let missing = 0;
    let statement: { sql: string; params: [string] } | null = null;
    try {
      await database.writeOne(() => {
        if (statement === null) {
          batch = waiting.splice(0, BATCH);
          missing = dropped;
          dropped = 0;
          isUrgent = waiting.some(({ group }) => group !== 'files');
          const rows = missing === 0 ? batch : [...batch, rowOf(clock, 'system', droppedRows(missing))];
          statement = { sql: INSERT, params: [JSON.stringify(rows.map(({ values }) => values))] };
        }
        return statement;
      });
      settled += batch.length;
      onWritten(batch.length);
      return true;
    } catch (error) {
      log.error({ err: error, rows: batch.length }, 'failed to write the activity log');
      waiting = [...batch, ...waiting];
      dropped += missing;
      return false;
    }
  }

  /** The oldest rows about files are dropped first; security rows only if there are no others. */
  function makeRoom(): void {
    if (dropped === 0) log.warn('failed to write the activity log for too long: dropped the oldest waiting rows');
    let surplus = ROOM;
    const kept = waiting.filter(({ group }) => {
      if (group !== 'files' || surplus === 0) return true;
      surplus -= 1;
      return false;
    });
    const left = kept.length < waiting.length ? kept : waiting.slice(ROOM);
    dropped += waiting.length - left.length;
    settled += waiting.length - left.length;
    waiting = left;
  }

  async function flush(): Promise<boolean> {
    const goal = added;
    while (settled < goal) if (!(await write())) return false;
    return true;
  }

  return {
    add(group, row) {
      if (isClosed) return;
      waiting.push(rowOf(clock, group, row));
      added += 1;
      if (waiting.length > MAX_WAITING) makeRoom();
      isUrgent ||= group !== 'files';
      if (isUrgent || waiting.length >= BATCH) void write();
      else later(COLLECT);
    },
    flush,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (!(await flush())) log.error({ rows: waiting.length }, 'failed to write the last rows of the activity log');
    },
  };
}

function rowOf(clock: Clock, group: ActivityGroup, { kind, actor, subject, details }: ActivityRow): Row {
  const { account, client, channel, address } = actor;
  return {
    group,
    values: [
      clock.now(),
      group,
      kind,
      account?.id ?? null,
      account && plainText(account.username),
      client && plainText(client.clientId),
      client && plainText(client.name),
      channel,
      address && plainText(address.replace(MAPPED, '')),
      plainText(subject),
      plainDetails(details),
    ],
  };
}

function droppedRows(rows: number): ActivityRow {
  return { kind: 'activity.dropped', actor: LARDER, subject: '', details: { rows } };
}
