/** What happened, as a sentence around who did it and what it happened to; both stand out in it. */
export interface ActivityWords {
  /** Before the name of whoever did it, which is left out when nobody did. */
  readonly verb: string;
  /** Whether what it happened to is named. */
  readonly subject?: false;
  readonly after?: string;
  /** In place of `verb`, where nobody is known to have done it. */
  readonly alone?: string;
}

const is = (verb: string, alone?: string, after?: string): ActivityWords => ({
  verb,
  ...(alone === undefined ? {} : { alone }),
  ...(after === undefined ? {} : { after }),
});
const only = (verb: string, alone?: string): ActivityWords => ({ ...is(verb, alone), subject: false });

const words: Readonly<Record<string, ActivityWords>> = {
  'installation.set-up': only('set Larder up', 'Larder was set up'),
  'settings.changed': is('changed settings:', 'Settings changed:'),
  'account.created': is('added the account', 'Account added:'),
  'account.activated': is('switched on the account', 'Account switched on:'),
  'account.deactivated': is('switched off the account', 'Account switched off:'),
  'account.deleted': is('removed the account', 'Account removed:'),
  'account.changed': is('changed the account', 'Account changed:'),
  'group.created': is('made the group', 'Group made:'),
  'group.changed': is('changed the group', 'Group changed:'),
  'group.removed': is('removed the group', 'Group removed:'),
  'role.created': is('made the role', 'Role made:'),
  'role.changed': is('changed the role', 'Role changed:'),
  'role.removed': is('removed the role', 'Role removed:'),
  'file-type.added': is('defined the file type', 'File type defined:'),
  'file-type.changed': is('changed the file type', 'File type changed:'),
  'file-type.removed': is('removed the file type', 'File type removed:'),
  'field-set.added': is('defined the field set', 'Field set defined:'),
  'field-set.changed': is('changed the field set', 'Field set changed:'),
  'field-set.removed': is('removed the field set', 'Field set removed:'),
  'field.added': is('defined the field', 'Field defined:'),
  'field.changed': is('changed the field', 'Field changed:'),
  'field.removed': is('removed the field', 'Field removed:'),
  'home.released': is('gave back the home', 'Home given back:'),
  'home.trashed': is('put into the trash the home', 'Home put into the trash:'),
  'home.restored': is('put back the home', 'Home put back:'),
  'home.removed': is('removed the home', 'Home removed:'),
  'password.changed': is('set a new password for', 'New password for'),
  'two-step.enabled': only('switched two-step sign-in on'),
  'two-step.disabled': only('switched two-step sign-in off'),
  'recovery-codes.renewed': only('made new recovery codes'),
  'share.created': is('shared'),
  'share.changed': is('changed the share of', 'Share changed:'),
  'share.removed': is('no longer shares', 'Share ended:'),
  'weblink.created': is('made a link to', 'Link made to'),
  'weblink.changed': is('changed the link to', 'Link changed:'),
  'weblink.removed': is('ended the link to', 'Link ended:'),
  'guest-link.made': is('made a link for the guest', 'Link made for the guest'),
  'picture.changed': only('has a new picture'),
  'profile.changed': only('changed the profile'),
  'session.ended': only('signed out', 'Signed out'),
  'login.succeeded': only('signed in', 'Signed in'),
  'login.failed': only('could not sign in', 'Somebody could not sign in'),
  'client.added': is('added the app', 'App added:'),
  'client.changed': is('changed the app', 'App changed:'),
  'client.removed': is('removed the app', 'App removed:'),
  'authorization.granted': is('allowed', 'Allowed:', 'to use files'),
  'authorization.revoked': is('no longer allows', 'No longer allowed:', 'to use files'),
  'api.tried': is('tried', 'Tried:'),
  'backup.made': is('made the backup', 'Backup made:'),
  'backup.failed': only('could not make a backup', 'A backup could not be made'),
  'backup.removed': is('removed the backup', 'Backup removed:'),
  'backup.restored': is('restored the backup', 'Backup restored:', 'into a folder of its own'),
  'doctor.repaired': only('had the installation repaired', 'The installation was repaired'),
  'folder.created': is('made the folder', 'Folder made:'),
  'folder.copied': is('copied a folder to', 'Folder copied to'),
  'folder.downloaded': is('downloaded the folder', 'Folder downloaded:'),
  'file.created': is('added', 'Added:'),
  'file.overwritten': is('changed', 'Changed:'),
  'file.copied': is('copied a file to', 'File copied to'),
  'file.downloaded': is('downloaded', 'Downloaded:'),
  'file.locked': is('locked', 'Locked:'),
  'file.unlocked': is('unlocked', 'Unlocked:'),
  'archive.extracted': is('unpacked an archive into', 'Archive unpacked into'),
  'item.renamed': is('renamed to', 'Renamed to'),
  'item.moved': is('moved to', 'Moved to'),
  'item.trashed': is('put into the trash', 'Put into the trash:'),
  'item.removed': is('deleted for good', 'Deleted for good:'),
  'item.restored': is('put back', 'Put back:'),
  'trash.emptied': only('emptied the trash', 'The trash was emptied'),
  'comment.added': is('commented on', 'Comment on'),
  'comment.removed': is('removed a comment on', 'Comment removed on'),
  'version.restored': is('brought back an earlier version of', 'Earlier version brought back of'),
  'version.removed': is('deleted an earlier version of', 'Earlier version deleted of'),
  'versions.expired': only('lost old versions that were kept long enough', 'Old versions were cleared away'),
  'fields.changed': is('changed the fields of', 'Fields changed of'),
  'label.changed': is('labelled', 'Labelled:'),
  'rating.changed': is('rated', 'Rated:'),
  'tags.changed': is('tagged', 'Tagged:'),
};

export const activityTexts = {
  /** @returns the kind itself for one that came later than this panel */
  words: (kind: string): ActivityWords => words[kind] ?? { verb: kind, alone: `${kind}:` },
  through: (app: string) => `through ${app}`,
  from: (address: string) => `from ${address}`,
  byLink: 'by a link',
};

/** What the page about activity says around the entries. */
export const activityPageTexts = {
  title: 'Activity',
  lead: 'What happened, by whom, from where.',
  leadKept: (days: number) =>
    `What happened, by whom, from where. Kept for ${days === 1 ? 'a day' : `${days.toLocaleString('en-GB')} days`}.`,
  search: 'File, person or address',
  person: 'Person',
  anyone: 'Anyone',
  what: 'What',
  everything: 'Everything',
  groups: { security: 'Sign-in and accounts', files: 'Files', sharing: 'Sharing', system: 'System' },
  since: 'From this day on',
  until: 'Up to this day',
  none: 'Nothing fits',
  noneHelp: 'Take a filter away, or search for less.',
  columns: { time: 'Time', what: 'What', by: 'Through', from: 'From' },
  doors: {
    app: 'An app',
    page: 'A page',
    link: 'Public link',
    control: 'Control panel',
    larder: 'On its own',
  },
  nowhere: '–',
  export: 'Export',
  exporting: (count: number) => `${count.toLocaleString('en-GB')} so far`,
  file: 'larder-activity.csv',
  kept: 'Keep it for',
  keptHelp: 'What is older goes by itself.',
  keptUnit: 'days',
} as const;
