import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { createMessages, createRichMessages, type RichArguments } from '../../server/lib/messages/messages.ts';
import { isolateValues } from '../../server/lib/text/bidi-isolate.ts';
import { activityMessages } from '../../server/messages/en/activity.ts';
import { importReasonMessages } from '../../server/messages/en/import-reasons.ts';
import { about } from './en/about.ts';
import { activity } from './en/activity.ts';
import { api } from './en/api.ts';
import { backup } from './en/backup.ts';
import { backupSettings } from './en/backup-settings.ts';
import { common } from './en/common.ts';
import { files } from './en/files.ts';
import { firstRun } from './en/first-run.ts';
import { groupsAndRoles } from './en/groups-and-roles.ts';
import { keys } from './en/keys.ts';
import { linksAndShares } from './en/links-and-shares.ts';
import { metadata } from './en/metadata.ts';
import { overview } from './en/overview.ts';
import { people } from './en/people.ts';
import { person } from './en/person.ts';
import { photoImports } from './en/photo-imports.ts';
import { reference } from './en/reference.ts';
import { restore } from './en/restore.ts';
import { settings } from './en/settings.ts';
import { states } from './en/states.ts';
import { trust } from './en/trust.ts';

/** Every text of the panel, by subject. */
export const catalogue = {
  ...common,
  ...states,
  ...overview,
  ...people,
  ...person,
  ...groupsAndRoles,
  ...files,
  ...photoImports,
  ...importReasonMessages,
  ...linksAndShares,
  ...activity,
  ...activityMessages,
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

const texts = createMessages(catalogue, LOCALE);

/** A text of the panel. Names among the values are for display only. */
export const t: typeof texts = (key, ...values) =>
  values[0] === undefined
    ? texts(key, ...values)
    : texts(key, ...([isolateValues(values[0])] as unknown as typeof values));

const parts = createRichMessages<ReactElement>()(catalogue, LOCALE);

/** A message in which some values are elements, such as a name in bold. */
export function rich<Key extends MessageKey>(
  key: Key,
  values: RichArguments<(typeof catalogue)[Key], ReactElement>,
): ReactNode {
  return createElement(Fragment, null, ...parts(key, isolateValues(values)));
}
