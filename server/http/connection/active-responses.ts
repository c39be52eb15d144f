import type { ServerResponse } from 'node:http';
import type { Unchanged } from '../../lib/unchanged.ts';

/** Milliseconds between two checks of what is being sent or received. */
const CHECKED_EVERY = 1_000;

/** Responses in progress, by account. */
export interface ActiveResponses {
  /**
   * @param isAllowed whether the token or session it was begun with is still valid: checked while it lasts, whenever that may
   * have changed
   */
  begin(accountId: number, response: ServerResponse, isAllowed?: () => Promise<boolean>): void;
  /** Aborts everything being sent to an account. */
  stop(accountId: number): void;
}

/** @param unchangedSince of accounts, tokens and sessions, from the moment when it is called */
export function createActiveResponses(unchangedSince: () => Unchanged): ActiveResponses {
  const underWay = new Map<number, Set<ServerResponse>>();
  const checks = new Map<ServerResponse, () => Promise<boolean>>();
  let timer: NodeJS.Timeout | null = null;
  let isUnchanged = unchangedSince();

  function check(): void {
    if (isUnchanged()) return;
    isUnchanged = unchangedSince();
    for (const [response, isAllowed] of checks) {
      // A failed check ends nothing; the next one tries again.
      isAllowed().then(
        (allowed) => !allowed && response.destroy(),
        () => {
          isUnchanged = () => false;
        },
      );
    }
  }

  function watch(response: ServerResponse, isAllowed: () => Promise<boolean>): void {
    if (checks.size === 0) isUnchanged = unchangedSince();
    checks.set(response, isAllowed);
    timer ??= setInterval(check, CHECKED_EVERY).unref();
    response.once('close', () => {
      checks.delete(response);
      if (checks.size > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    });
  }

  return {
    begin(accountId, response, isAllowed) {
      // A closed response emits no further events.
      if (response.closed || response.destroyed) return;
      if (isAllowed !== undefined) watch(response, isAllowed);
      const replies = underWay.get(accountId) ?? new Set();
      underWay.set(accountId, replies);
      replies.add(response);
      response.once('close', () => {
        replies.delete(response);
        if (replies.size === 0 && underWay.get(accountId) === replies) underWay.delete(accountId);
      });
    },
    stop(accountId) {
      for (const response of underWay.get(accountId) ?? []) response.destroy();
    },
  };
}
