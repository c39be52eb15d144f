import type { Route } from '../../control/routes.ts';
import { aboutTexts } from '../../texts/about.ts';
import { activityPageTexts } from '../../texts/activity.ts';
import { apiTexts } from '../../texts/api.ts';
import { backupTexts } from '../../texts/backup.ts';
import { filesTexts } from '../../texts/files.ts';
import { givenTexts } from '../../texts/given.ts';
import { metadataTexts } from '../../texts/metadata.ts';
import { peopleTexts } from '../../texts/people.ts';
import { householdTexts, mailTexts, securityTexts } from '../../texts/settings.ts';
import { texts } from '../../texts/texts.ts';

/** What *Go to* finds beside the pages of the sidebar. */
export interface NamedPlace {
  readonly name: string;
  readonly route: Route;
}

/** The tabs of pages, but the first of each: that is the page itself. */
export const TABS: readonly NamedPlace[] = [
  { name: peopleTexts.tabs.users, route: 'users' },
  { name: peopleTexts.tabs.groups, route: 'groups' },
  { name: peopleTexts.tabs.roles, route: 'roles' },
  { name: peopleTexts.tabs.guests, route: 'guests' },
  { name: peopleTexts.tabs.administrators, route: 'administrators' },
  { name: givenTexts.tabs.links, route: 'links' },
  { name: givenTexts.tabs.shares, route: 'shares' },
  { name: apiTexts.tabs.clients, route: 'clients' },
  { name: apiTexts.tabs.authorizations, route: 'authorizations' },
  { name: apiTexts.tabs.settings, route: 'apiSettings' },
  { name: apiTexts.tabs.reference, route: 'reference' },
  { name: metadataTexts.tabs.types, route: 'fileTypes' },
  { name: metadataTexts.tabs.sets, route: 'fieldSets' },
  { name: backupTexts.tabs.backups, route: 'backups' },
  { name: backupTexts.tabs.settings, route: 'backupSettings' },
];

/** Settings by their labels. */
export const SETTINGS: readonly NamedPlace[] = [
  { name: filesTexts.homes.title, route: 'files' },
  { name: filesTexts.policies.trash, route: 'files' },
  { name: filesTexts.policies.versions, route: 'files' },
  { name: filesTexts.policies.versionDays, route: 'files' },
  { name: filesTexts.places.places, route: 'files' },
  { name: filesTexts.thumbnails.title, route: 'files' },
  { name: activityPageTexts.kept, route: 'activity' },
  { name: apiTexts.settings.enable, route: 'apiSettings' },
  { name: apiTexts.settings.http, route: 'apiSettings' },
  { name: householdTexts.name, route: 'apiSettings' },
  { name: householdTexts.address, route: 'apiSettings' },
  { name: householdTexts.announce, route: 'apiSettings' },
  { name: mailTexts.server.host, route: 'mail' },
  { name: mailTexts.server.port, route: 'mail' },
  { name: mailTexts.server.security, route: 'mail' },
  { name: mailTexts.server.username, route: 'mail' },
  { name: mailTexts.server.password, route: 'mail' },
  { name: mailTexts.server.from, route: 'mail' },
  { name: mailTexts.test.to, route: 'mail' },
  { name: securityTexts.passwords.limit, route: 'security' },
  { name: securityTexts.passwords.least, route: 'security' },
  { name: securityTexts.locked.title, route: 'security' },
  { name: securityTexts.remote.allow, route: 'security' },
  { name: securityTexts.sessions.minutes, route: 'security' },
  { name: securityTexts.guests.link, route: 'security' },
  { name: securityTexts.guests.kept, route: 'security' },
  { name: securityTexts.proxies.list, route: 'security' },
  { name: backupTexts.settings.place, route: 'backupSettings' },
  { name: backupTexts.settings.files, route: 'backupSettings' },
  { name: backupTexts.settings.history, route: 'backupSettings' },
  { name: backupTexts.settings.every, route: 'backupSettings' },
  { name: backupTexts.settings.keep, route: 'backupSettings' },
  { name: texts.computer.startsAtLogin, route: 'computer' },
  { name: texts.computer.keepsAwake, route: 'computer' },
  { name: texts.port.label, route: 'computer' },
  { name: aboutTexts.doctor.title, route: 'about' },
  { name: aboutTexts.licences.title, route: 'about' },
];
