import type { Migration } from './migration.ts';

/** Finds what others did with the files of a person. "of" has the user name of the owner. */
export const activityOf: Migration = {
  name: '0065-activity-of',
  statements: ["CREATE INDEX activity_of ON activity (details ->> '$.of') WHERE details ->> '$.of' IS NOT NULL"],
};
