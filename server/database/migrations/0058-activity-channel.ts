import type { Migration } from './migration.ts';

/** `channel`: how an action came in, such as by the API, a page or a web link. */
export const activityChannel: Migration = {
  name: '0058-activity-channel',
  statements: ['ALTER TABLE activity RENAME COLUMN door TO channel'],
};
