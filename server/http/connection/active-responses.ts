import type { ServerResponse } from 'node:http';

/** Replies that are on their way, by whom they are for. */
export interface Calls {
  begin(accountId: number, response: ServerResponse): void;
  /** Breaks off everything that is on its way to an account: a download stops where it is. */
  stop(accountId: number): void;
}

export function createActiveResponses(): Calls {
  const underWay = new Map<number, Set<ServerResponse>>();
  return {
    begin(accountId, response) {
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
