import type { Database } from '../database/database.ts';
import { type ActiveResponses, createActiveResponses } from '../http/connection/active-responses.ts';
import type { Events } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';

/** Composes the responses in progress: an account that may no longer act gets no further byte. */
export function composeActiveResponses(database: Database, events: Events, log: Log): ActiveResponses {
  const activeResponses = createActiveResponses(() => database.unchangedSince('accounts'), log);
  // Blocks by wrong passwords of others end nothing.
  events.on('account.deactivated', ({ accountId, reason }) => {
    if (reason === 'administrator') activeResponses.stop(accountId);
  });
  events.on('account.deleted', ({ accountId }) => activeResponses.stop(accountId));
  return activeResponses;
}
