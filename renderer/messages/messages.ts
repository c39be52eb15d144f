import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { createMessages, createRichMessages, type RichArguments } from '../../server/lib/messages/messages.ts';
import { about } from './about.ts';
import { activity } from './activity.ts';
import { activityEntries } from './activity-entries.ts';
import { api } from './api.ts';
import { backup } from './backup.ts';
import { backupSettings } from './backup-settings.ts';
import { common } from './common.ts';
import { files } from './files.ts';
import { firstRun } from './first-run.ts';
import { groupsAndRoles } from './groups-and-roles.ts';
import { keys } from './keys.ts';
import { linksAndShares } from './links-and-shares.ts';
import { metadata } from './metadata.ts';
import { overview } from './overview.ts';
import { people } from './people.ts';
import { person } from './person.ts';
import { reference } from './reference.ts';
import { restore } from './restore.ts';
import { settings } from './settings.ts';
import { states } from './states.ts';
import { trust } from './trust.ts';

/** Every text of the panel, by subject. */
export const catalogue = {
  ...common,
  ...states,
  ...overview,
  ...people,
  ...person,
  ...groupsAndRoles,
  ...files,
  ...linksAndShares,
  ...activity,
  ...activityEntries,
  ...api,
  ...reference,
  ...metadata,
  ...settings,
  ...backup,
  ...backupSettings,
  ...restore,
  ...about,
  ...keys,
  ...firstRun,
  ...trust,
} as const;

export type MessageKey = keyof typeof catalogue;

/** For dates and numbers. */
export const LOCALE = 'en-GB';

export const t = createMessages(catalogue, LOCALE);

const parts = createRichMessages<ReactElement>()(catalogue, LOCALE);

/** A message in which some values are elements, such as a name in bold. */
export function rich<Key extends MessageKey>(
  key: Key,
  values: RichArguments<(typeof catalogue)[Key], ReactElement>,
): ReactNode {
  return createElement(Fragment, null, ...parts(key, values));
}
