import type { Migration } from './migration.ts';

const RENAMED = { homePlaces: 'homeLocations', backupPlace: 'backupFolder' } as const;

/** A place is a location everywhere, and what a backup is written to is a folder. */
export const settingNames: Migration = {
  name: '0066-setting-names',
  statements: Object.entries(RENAMED).flatMap(([from, to]) => [
    `UPDATE settings SET key = '${to}' WHERE key = '${from}'`,
    `UPDATE activity SET subject = replace(subject, '${from}', '${to}'), details = replace(details, '"${from}"', '"${to}"')
     WHERE kind = 'settings.changed' AND instr(subject, '${from}') > 0`,
  ]),
};
