import type { Input } from '../../server/control/contract/contract.ts';

/** What each setting is called where one reads that it was changed. */
const names: Readonly<Record<keyof Input<'settings.update'>, string>> = {
  apiEnabled: 'API',
  httpTesting: 'HTTP for testing',
  wrongPasswordLimit: 'wrong passwords',
  baseUrl: 'address in mails and links',
  announce: 'announced on the network',
  trashDays: 'days in the trash',
  passwordMinLength: 'shortest password',
  remotePanel: 'control panel on other devices',
  sessionMinutes: 'signed in without a visit',
  versionsKept: 'earlier versions',
  versionDays: 'days of earlier versions',
  guestLinkDays: 'days of private links',
  guestsKeptDays: 'days that guests are kept',
  householdName: 'name of the household',
  smtpHost: 'mail server',
  smtpPort: 'port of the mail server',
  smtpSecurity: 'security of the mail server',
  smtpUsername: 'user name at the mail server',
  smtpPassword: 'password at the mail server',
  mailFrom: 'sender of mails',
  activityDays: 'days of activity',
  thumbnailMegabytes: 'size of thumbnails',
  homePlaces: 'places for homes',
  trustedProxies: 'trusted proxies',
  backupPlace: 'place of backups',
  backupEvery: 'how often backups are made',
  backupHour: 'hour of backups',
  backupFiles: 'files in backups',
  backupHistory: 'versions and trash in backups',
  backupKeep: 'backups kept',
};
/** Those that are set by a way of their own. */
const others: Readonly<Record<string, string>> = { backupSealing: 'passphrase of backups' };

/** @param keys as the activity has them, with commas between */
export function settingNames(keys: string): string {
  const known: Readonly<Record<string, string>> = { ...names, ...others };
  return keys
    .split(', ')
    .map((key) => known[key] ?? key)
    .join(', ');
}
