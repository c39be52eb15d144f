/** What happened, in the panel and on the pages of people. */
export const activityMessages = {
  'activity.entry.installation.set-up': '{actor, select, none {Larder was set up} other {{who} set up Larder}}',
  'activity.entry.settings.changed':
    '{actor, select, none {Settings changed: {what}} other {{who} changed settings: {what}}}',
  'activity.entry.account.created':
    '{actor, select, none {Account added: {what}} other {{who} added the account {what}}}',
  'activity.entry.account.activated':
    '{actor, select, none {Account enabled: {what}} other {{who} enabled the account {what}}}',
  'activity.entry.account.deactivated':
    '{actor, select, none {Account disabled: {what}} other {{who} disabled the account {what}}}',
  'activity.entry.account.deleted':
    '{actor, select, none {Account removed: {what}} other {{who} removed the account {what}}}',
  'activity.entry.account.changed':
    '{actor, select, none {Account changed: {what}} other {{who} changed the account {what}}}',
  'activity.entry.group.created':
    '{actor, select, none {Group created: {what}} other {{who} created the group {what}}}',
  'activity.entry.group.changed':
    '{actor, select, none {Group changed: {what}} other {{who} changed the group {what}}}',
  'activity.entry.group.removed':
    '{actor, select, none {Group removed: {what}} other {{who} removed the group {what}}}',
  'activity.entry.role.created': '{actor, select, none {Role created: {what}} other {{who} created the role {what}}}',
  'activity.entry.role.changed': '{actor, select, none {Role changed: {what}} other {{who} changed the role {what}}}',
  'activity.entry.role.removed': '{actor, select, none {Role removed: {what}} other {{who} removed the role {what}}}',
  'activity.entry.file-type.added':
    '{actor, select, none {File type added: {what}} other {{who} added the file type {what}}}',
  'activity.entry.file-type.changed':
    '{actor, select, none {File type changed: {what}} other {{who} changed the file type {what}}}',
  'activity.entry.file-type.removed':
    '{actor, select, none {File type removed: {what}} other {{who} removed the file type {what}}}',
  'activity.entry.field-set.added':
    '{actor, select, none {Field set added: {what}} other {{who} added the field set {what}}}',
  'activity.entry.field-set.changed':
    '{actor, select, none {Field set changed: {what}} other {{who} changed the field set {what}}}',
  'activity.entry.field-set.removed':
    '{actor, select, none {Field set removed: {what}} other {{who} removed the field set {what}}}',
  'activity.entry.field.added': '{actor, select, none {Field added: {what}} other {{who} added the field {what}}}',
  'activity.entry.field.changed':
    '{actor, select, none {Field changed: {what}} other {{who} changed the field {what}}}',
  'activity.entry.field.removed':
    '{actor, select, none {Field removed: {what}} other {{who} removed the field {what}}}',
  'activity.entry.home.released':
    '{actor, select, none {Home released: {what}} other {{who} released the home {what}}}',
  'activity.entry.home.trashed':
    '{actor, select, none {Home moved to the trash: {what}} other {{who} moved the home {what} to the trash}}',
  'activity.entry.home.restored':
    '{actor, select, none {Home restored: {what}} other {{who} restored the home {what}}}',
  'activity.entry.home.removed':
    '{actor, select, none {Home deleted permanently: {what}} other {{who} deleted the home {what} permanently}}',
  'activity.entry.password.changed':
    '{actor, select, none {New password set for {what}} other {{who} set a new password for {what}}}',
  'activity.entry.two-step.enabled':
    '{actor, select, none {Two-step sign-in was turned on} other {{who} turned on two-step sign-in}}',
  'activity.entry.two-step.disabled':
    '{actor, select, none {Two-step sign-in was turned off} other {{who} turned off two-step sign-in}}',
  'activity.entry.recovery-codes.renewed':
    '{actor, select, none {New recovery codes were created} other {{who} created new recovery codes}}',
  'activity.entry.app-password.created':
    '{actor, select, none {App password created: {what}} other {{who} created the app password {what}}}',
  'activity.entry.app-password.removed':
    '{actor, select, none {App password revoked: {what}} other {{who} revoked the app password {what}}}',
  'activity.entry.share.created':
    '{actor, select, none {{hasTo, select, yes {Shared with {to}: {what}} other {Shared: {what}}}} other {{who} shared {what}{hasTo, select, yes { with {to}} other {}}}}',
  'activity.entry.share.changed':
    '{actor, select, none {{hasTo, select, yes {Share changed with {to}: {what}} other {Share changed: {what}}}} other {{who} changed the share of {what}{hasTo, select, yes { with {to}} other {}}}}',
  'activity.entry.share.removed':
    '{actor, select, none {{hasTo, select, yes {Share ended with {to}: {what}} other {Share ended: {what}}}} other {{who} stopped sharing {what}{hasTo, select, yes { with {to}} other {}}}}',
  'activity.entry.album.shared':
    '{actor, select, none {{hasTo, select, yes {Album shared with {to}: {what}} other {Album shared: {what}}}} other {{who} shared the album {what}{hasTo, select, yes { with {to}} other {}}}}',
  'activity.entry.album.unshared':
    '{actor, select, none {{hasTo, select, yes {Album no longer shared with {to}: {what}} other {Album no longer shared: {what}}}} other {{hasTo, select, left {{who} left the album {what}} yes {{who} stopped sharing the album {what} with {to}} other {{who} stopped sharing the album {what}}}}}',
  'activity.entry.album.added':
    '{actor, select, none {{items, plural, one {# item} other {# items}} added to the album {what}} other {{who} added {items, plural, one {# item} other {# items}} to the album {what}}}',
  'activity.entry.album.removed':
    '{actor, select, none {{items, plural, one {# item} other {# items}} taken out of the album {what}} other {{who} took {items, plural, one {# item} other {# items}} out of the album {what}}}',
  'activity.entry.weblink.created':
    '{actor, select, none {Link created to {what}} other {{who} created a link to {what}}}{further, plural, =0 {} one { and one more item} other { and # more items}}',
  'activity.entry.weblink.changed':
    '{actor, select, none {Link changed: {what}} other {{who} changed the link to {what}}}{further, plural, =0 {} one { and one more item} other { and # more items}}',
  'activity.entry.weblink.removed':
    '{actor, select, none {Link ended: {what}} other {{who} ended the link to {what}}}{further, plural, =0 {} one { and one more item} other { and # more items}}',
  'activity.entry.guest-link.made':
    '{actor, select, none {Link created for the guest {what}} other {{who} created a link for the guest {what}}}',
  'activity.entry.picture.changed': '{actor, select, none {Picture changed} other {{who} changed their picture}}',
  'activity.entry.profile.changed': '{actor, select, none {Profile changed} other {{who} changed their profile}}',
  'activity.entry.session.ended': '{actor, select, none {Signed out} other {{who} signed out}}',
  'activity.entry.login.succeeded': '{actor, select, none {Signed in} other {{who} signed in}}',
  'activity.entry.login.failed':
    '{attempts, plural, one {{actor, select, none {Failed sign-in} other {{who} failed to sign in}}} other {{actor, select, none {# more failed sign-ins} other {{who} failed to sign in # more times}}}}',
  'activity.entry.client.added': '{actor, select, none {App added: {what}} other {{who} added the app {what}}}',
  'activity.entry.client.changed': '{actor, select, none {App changed: {what}} other {{who} changed the app {what}}}',
  'activity.entry.client.removed': '{actor, select, none {App removed: {what}} other {{who} removed the app {what}}}',
  'activity.entry.authorization.granted':
    '{actor, select, none {Allowed to use files: {what}} other {{who} allowed {what} to use files}}',
  'activity.entry.authorization.revoked':
    '{actor, select, none {No longer allowed to use files: {what}} other {{who} no longer allows {what} to use files}}',
  'activity.entry.api.tried': '{actor, select, none {Tried: {what}} other {{who} tried {what}}}',
  'activity.entry.backup.made':
    '{actor, select, none {Backup created: {what}} other {{who} created the backup {what}}}',
  'activity.entry.backup.failed': '{actor, select, none {Backup failed} other {{who} could not create a backup}}',
  'activity.entry.backup.removed':
    '{actor, select, none {Backup removed: {what}} other {{who} removed the backup {what}}}',
  'activity.entry.backup.restored':
    '{actor, select, none {Backup restored to a new folder: {what}} other {{who} restored the backup {what} to a new folder}}',
  'activity.entry.import.started':
    '{actor, select, none {Import of photos from {what}} other {{who} started an import of photos from {what}}}',
  'activity.entry.doctor.repaired': '{actor, select, none {A repair was run} other {{who} ran a repair}}',
  'activity.entry.folder.created':
    '{actor, select, none {Folder created: {what}} other {{who} created the folder {what}}}',
  'activity.entry.folder.copied':
    '{actor, select, none {Folder copied to {what}} other {{who} copied a folder to {what}}}',
  'activity.entry.folder.downloaded':
    '{actor, select, none {Folder downloaded: {what}} other {{who} downloaded the folder {what}}}',
  'activity.entry.file.created': '{actor, select, none {Added: {what}} other {{who} added {what}}}',
  'activity.entry.file.overwritten': '{actor, select, none {Changed: {what}} other {{who} changed {what}}}',
  'activity.entry.file.copied': '{actor, select, none {File copied to {what}} other {{who} copied a file to {what}}}',
  'activity.entry.file.downloaded':
    '{actor, select, none {Opened or downloaded: {what}} other {{who} opened or downloaded {what}}}',
  'activity.entry.file.locked': '{actor, select, none {Locked: {what}} other {{who} locked {what}}}',
  'activity.entry.file.unlocked': '{actor, select, none {Unlocked: {what}} other {{who} unlocked {what}}}',
  'activity.entry.archive.extracted':
    '{actor, select, none {Archive extracted to {what}} other {{who} extracted an archive to {what}}}',
  'activity.entry.item.renamed': '{actor, select, none {Renamed to {what}} other {{who} renamed an item to {what}}}',
  'activity.entry.item.moved': '{actor, select, none {Moved to {what}} other {{who} moved an item to {what}}}',
  'activity.entry.item.trashed':
    '{actor, select, none {Moved to the trash: {what}} other {{who} moved {what} to the trash}}',
  'activity.entry.item.removed':
    '{actor, select, none {Permanently deleted: {what}} other {{who} permanently deleted {what}}}',
  'activity.entry.item.restored': '{actor, select, none {Restored: {what}} other {{who} restored {what}}}',
  'activity.entry.trash.emptied': '{actor, select, none {The trash was emptied} other {{who} emptied the trash}}',
  'activity.entry.comment.added': '{actor, select, none {Comment on {what}} other {{who} commented on {what}}}',
  'activity.entry.comment.removed':
    '{actor, select, none {Comment deleted on {what}} other {{who} deleted a comment on {what}}}',
  'activity.entry.version.restored':
    '{actor, select, none {Earlier version restored of {what}} other {{who} restored an earlier version of {what}}}',
  'activity.entry.version.removed':
    '{actor, select, none {Earlier version deleted of {what}} other {{who} deleted an earlier version of {what}}}',
  'activity.entry.versions.expired':
    '{actor, select, none {Expired versions were removed} other {{who} had expired versions removed}}',
  'activity.entry.fields.changed':
    '{actor, select, none {Fields changed of {what}} other {{who} changed the fields of {what}}}',
  'activity.entry.label.changed': '{actor, select, none {Labelled: {what}} other {{who} labelled {what}}}',
  'activity.entry.rating.changed': '{actor, select, none {Rated: {what}} other {{who} rated {what}}}',
  'activity.entry.tags.changed': '{actor, select, none {Tagged: {what}} other {{who} tagged {what}}}',
  'activity.entry.unknown': '{actor, select, none {{kind}: {what}} other {{who}: {kind} {what}}}',

  'activity.group.what':
    '{kind, select, photos {{count, plural, other {# photos}}} other {{count, plural, other {# items}}}}',
  'activity.group.home': 'My Files',
  'activity.group.file.created': '{who} added {what} to {folder}',
  'activity.group.file.overwritten': '{who} changed {what} in {folder}',
  'activity.group.file.downloaded': '{who} opened or downloaded {what} from {folder}',
  'activity.group.file.copied': '{who} copied {what} to {folder}',
  'activity.group.item.trashed': '{who} moved {what} from {folder} to the trash',
  'activity.group.item.restored': '{who} restored {what} to {folder}',
  'activity.group.item.removed': '{who} permanently deleted {what} from {folder}',

  'activity.withOrigin':
    '{sentence}{channel, select, link {, via a link} other {}}{hasApp, select, yes {, via {app}} other {}}{hasAddress, select, yes {, from {address}} other {}}',
} as const;
