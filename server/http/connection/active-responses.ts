import type { ServerResponse } from 'node:http';
import type { Log } from '../../lib/log/log.ts';
import type { Unchanged } from '../../lib/unchanged.ts';

/** Milliseconds between two checks of what is being sent or received. */
const CHECKED_EVERY = 1_000;

/** Responses in progress: the one place that ends those whose right has ended. */
export interface ActiveResponses {
  /**
   * @param isAllowed whether the token or session it was begun with is still valid: checked while it lasts, whenever that may
   * have changed
   */
  begin(accountId: number, response: ServerResponse, isAllowed?: () => Promise<boolean>): void;
  /**
   * Checks once a second whether a response may go on, and destroys it otherwise. A check that fails is tried again.
   * @param isAllowed may depend on anything, such as files on the disk or the time
   * @returns ends the checks earlier than the response
   */
  watch(response: ServerResponse, isAllowed: () => Promise<boolean>): () => void;
  /** Aborts everything being sent to an account. */
  stop(accountId: number): void;
}

interface Entry {
  readonly response: ServerResponse;
  /** Null for a check that depends on more than accounts, tokens and sessions. */
  readonly accountId: number | null;
  readonly isAllowed: (() => Promise<boolean>) | undefined;
}

/** @param unchangedSince of accounts, tokens and sessions, from the moment when it is called */
export function createActiveResponses(unchangedSince: () => Unchanged, log: Pick<Log, 'warn'>): ActiveResponses {
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | null = null;
  let isUnchanged = unchangedSince();

  function check(): void {
    const areAccountsUnchanged = isUnchanged();
    if (!areAccountsUnchanged) isUnchanged = unchangedSince();
    for (const { response, accountId, isAllowed } of entries) {
      if (accountId !== null && areAccountsUnchanged) continue;
      // A failed check ends nothing; the next one tries again.
      isAllowed?.().then(
        (allowed) => !allowed && response.destroy(),
        (error: unknown) => {
          log.warn({ err: error }, 'failed to check whether a response may continue');
          if (accountId !== null) isUnchanged = () => false;
        },
      );
    }
  }

  function add(entry: Entry): () => void {
    const { response } = entry;
    // A closed response emits no further events.
    if (response.closed || response.destroyed) return () => {};
    if (entries.size === 0) isUnchanged = unchangedSince();
    entries.add(entry);
    timer ??= setInterval(check, CHECKED_EVERY).unref();
    const end = () => {
      response.off('close', end);
      entries.delete(entry);
      if (entries.size > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    };
    response.once('close', end);
    return end;
  }

  return {
    begin: (accountId, response, isAllowed) => void add({ response, accountId, isAllowed }),
    watch: (response, isAllowed) => add({ response, accountId: null, isAllowed }),
    stop(accountId) {
      for (const entry of entries) if (entry.accountId === accountId) entry.response.destroy();
    },
  };
}
