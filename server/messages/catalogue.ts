import { accountMessages } from './en/account.ts';
import { activityMessages } from './en/activity.ts';
import { albumsMessages } from './en/albums.ts';
import { apiAccountsMessages } from './en/api/accounts.ts';
import { apiBackupMessages } from './en/api/backup.ts';
import { apiCertificatesMessages } from './en/api/certificates.ts';
import { apiControlMessages } from './en/api/control.ts';
import { apiDoctorMessages } from './en/api/doctor.ts';
import { apiFilesMessages } from './en/api/files.ts';
import { apiHomesMessages } from './en/api/homes.ts';
import { apiMetadataMessages } from './en/api/metadata.ts';
import { apiNextcloudMessages } from './en/api/nextcloud.ts';
import { apiOauthMessages } from './en/api/oauth.ts';
import { apiRequestsMessages } from './en/api/requests.ts';
import { apiRestoreMessages } from './en/api/restore.ts';
import { apiSharingMessages } from './en/api/sharing.ts';
import { apiStorageMessages } from './en/api/storage.ts';
import { apiTusMessages } from './en/api/tus.ts';
import { warningMessages } from './en/api/warnings.ts';
import { apiWebdavMessages } from './en/api/webdav.ts';
import { cliBackupMessages } from './en/cli/backup.ts';
import { cliGeneralMessages } from './en/cli/general.ts';
import { cliHelpMessages } from './en/cli/help.ts';
import { cliStatusMessages } from './en/cli/status.ts';
import { consentMessages } from './en/consent.ts';
import { editingMessages } from './en/editing.ts';
import { fileDetailsMessages } from './en/file-details.ts';
import { filesMessages } from './en/files.ts';
import { filesActionsMessages } from './en/files-actions.ts';
import { importsMessages } from './en/imports.ts';
import { linksMessages } from './en/links.ts';
import { linksSendMessages } from './en/links-send.ts';
import { mailMessages } from './en/mail.ts';
import { mapMessages } from './en/map.ts';
import { photoBackupMessages } from './en/photo-backup.ts';
import { photoViewerMessages } from './en/photo-viewer.ts';
import { photosMessages } from './en/photos.ts';
import { programsMessages } from './en/programs.ts';
import { searchMessages } from './en/search.ts';
import { sharingMessages } from './en/sharing.ts';
import { shellMessages } from './en/shell.ts';
import { signInMessages } from './en/sign-in.ts';
import { sizeMessages } from './en/sizes.ts';
import { trustMessages } from './en/trust.ts';
import { uploadsMessages } from './en/uploads.ts';
import { versionsMessages } from './en/versions.ts';
import { viewerMessages } from './en/viewer.ts';
import { weblinksMessages } from './en/weblinks.ts';

/** All texts of the server, its pages, their scripts and e-mails, as ICU messages. */
export const catalogue = {
  ...shellMessages,
  ...sizeMessages,
  ...signInMessages,
  ...trustMessages,
  ...accountMessages,
  ...activityMessages,
  ...programsMessages,
  ...consentMessages,
  ...filesMessages,
  ...editingMessages,
  ...searchMessages,
  ...filesActionsMessages,
  ...fileDetailsMessages,
  ...versionsMessages,
  ...sharingMessages,
  ...weblinksMessages,
  ...linksMessages,
  ...linksSendMessages,
  ...uploadsMessages,
  ...viewerMessages,
  ...importsMessages,
  ...mapMessages,
  ...photoBackupMessages,
  ...photoViewerMessages,
  ...albumsMessages,
  ...photosMessages,
  ...mailMessages,
  ...apiAccountsMessages,
  ...apiBackupMessages,
  ...apiCertificatesMessages,
  ...apiControlMessages,
  ...apiDoctorMessages,
  ...apiFilesMessages,
  ...apiHomesMessages,
  ...apiMetadataMessages,
  ...apiNextcloudMessages,
  ...apiOauthMessages,
  ...apiRequestsMessages,
  ...apiRestoreMessages,
  ...apiSharingMessages,
  ...apiStorageMessages,
  ...apiTusMessages,
  ...apiWebdavMessages,
  ...warningMessages,
  ...cliBackupMessages,
  ...cliGeneralMessages,
  ...cliHelpMessages,
  ...cliStatusMessages,
} as const;

export type MessageKey = keyof typeof catalogue;

/** The language of the messages (BCP 47), and how it writes dates and numbers. */
export const LANGUAGE = 'en';
export const LOCALE = 'en-GB';
