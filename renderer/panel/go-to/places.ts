import type { Route } from '../../control/routes.ts';
import { t } from '../../messages/messages.ts';

/** Targets of *Go to* beside the pages of the sidebar. */
export interface NamedPlace {
  readonly name: string;
  readonly route: Route;
}

/** The tabs of pages, except for the first of each, which is the page itself. */
export const TABS: readonly NamedPlace[] = [
  { name: t('people.tabs.users'), route: 'users' },
  { name: t('people.tabs.groups'), route: 'groups' },
  { name: t('people.tabs.roles'), route: 'roles' },
  { name: t('people.tabs.guests'), route: 'guests' },
  { name: t('people.tabs.administrators'), route: 'administrators' },
  { name: t('files.tabs.homes'), route: 'files' },
  { name: t('files.tabs.imports'), route: 'photoImports' },
  { name: t('linksAndShares.tabs.links'), route: 'links' },
  { name: t('linksAndShares.tabs.shares'), route: 'shares' },
  { name: t('linksAndShares.tabs.albums'), route: 'albumShares' },
  { name: t('panelApi.tabs.clients'), route: 'clients' },
  { name: t('panelApi.tabs.authorizations'), route: 'authorizations' },
  { name: t('panelApi.tabs.settings'), route: 'apiSettings' },
  { name: t('panelApi.tabs.reference'), route: 'reference' },
  { name: t('metadata.tabs.types'), route: 'fileTypes' },
  { name: t('metadata.tabs.sets'), route: 'fieldSets' },
  { name: t('backup.tabs.backups'), route: 'backups' },
  { name: t('backup.tabs.settings'), route: 'backupSettings' },
];

/** Settings by their labels. */
export const SETTINGS: readonly NamedPlace[] = [
  { name: t('files.homes.title'), route: 'files' },
  { name: t('files.policies.trash'), route: 'files' },
  { name: t('files.policies.versions'), route: 'files' },
  { name: t('files.policies.versionDays'), route: 'files' },
  { name: t('files.places.places'), route: 'files' },
  { name: t('files.thumbnails.title'), route: 'files' },
  { name: t('files.thumbnails.most'), route: 'files' },
  { name: t('activity.kept'), route: 'activity' },
  { name: t('panelApi.settings.enable'), route: 'apiSettings' },
  { name: t('panelApi.settings.webdav'), route: 'apiSettings' },
  { name: t('panelApi.settings.nextcloud'), route: 'apiSettings' },
  { name: t('panelApi.settings.tus'), route: 'apiSettings' },
  { name: t('panelApi.settings.http'), route: 'apiSettings' },
  { name: t('household.name'), route: 'household' },
  { name: t('household.address'), route: 'household' },
  { name: t('household.announce'), route: 'household' },
  { name: t('household.serviceWorker'), route: 'household' },
  { name: t('household.mapTileUrl'), route: 'household' },
  { name: t('household.mapTileAttribution'), route: 'household' },
  { name: t('household.mapTileZoom'), route: 'household' },
  { name: t('trust.title'), route: 'household' },
  { name: t('mail.server.host'), route: 'mail' },
  { name: t('mail.server.port'), route: 'mail' },
  { name: t('mail.server.security'), route: 'mail' },
  { name: t('mail.server.username'), route: 'mail' },
  { name: t('mail.server.password'), route: 'mail' },
  { name: t('mail.server.from'), route: 'mail' },
  { name: t('mail.test.to'), route: 'mail' },
  { name: t('security.passwords.limit'), route: 'security' },
  { name: t('security.passwords.least'), route: 'security' },
  { name: t('security.locked.title'), route: 'security' },
  { name: t('security.remote.allow'), route: 'security' },
  { name: t('security.sessions.minutes'), route: 'security' },
  { name: t('security.guests.link'), route: 'security' },
  { name: t('security.guests.kept'), route: 'security' },
  { name: t('security.proxies.list'), route: 'security' },
  { name: t('backup.settings.place'), route: 'backupSettings' },
  { name: t('backup.settings.files'), route: 'backupSettings' },
  { name: t('backup.settings.history'), route: 'backupSettings' },
  { name: t('backup.settings.every'), route: 'backupSettings' },
  { name: t('backup.settings.keep'), route: 'backupSettings' },
  { name: t('computer.startsAtLogin'), route: 'computer' },
  { name: t('computer.keepsAwake'), route: 'computer' },
  { name: t('port.label'), route: 'computer' },
  { name: t('about.doctor.title'), route: 'about' },
  { name: t('about.licences.title'), route: 'about' },
];
