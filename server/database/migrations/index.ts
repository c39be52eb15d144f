import { foundation } from './0001-foundation.ts';
import { versionsAndUploads } from './0002-versions-and-uploads.ts';
import { webFlows } from './0003-web-flows.ts';
import { accountSecurity } from './0004-account-security.ts';
import { activity } from './0005-activity.ts';
import { pictures } from './0006-pictures.ts';
import { people } from './0007-people.ts';
import { homeTrash } from './0008-home-trash.ts';
import { finding } from './0009-finding.ts';
import { locks } from './0010-locks.ts';
import { texts } from './0011-texts.ts';
import { mailQueue } from './0012-mail-queue.ts';
import { shares } from './0013-shares.ts';
import { comments } from './0014-comments.ts';
import { weblinks } from './0015-weblinks.ts';
import { metadata } from './0016-metadata.ts';
import { embedded } from './0017-embedded.ts';
import { thumbnails } from './0018-thumbnails.ts';
import { clientsOff } from './0019-clients-off.ts';
import { signInProtection } from './0020-sign-in-protection.ts';
import { uploadIdentity } from './0021-upload-identity.ts';
import { journalVersion } from './0022-journal-version.ts';
import { restartedUploads } from './0023-restarted-uploads.ts';
import { contentHashes } from './0024-content-hashes.ts';
import { appPasswords } from './0025-app-passwords.ts';
import { webdav } from './0026-webdav.ts';
import { tusUploads } from './0027-tus-uploads.ts';
import { unhashedFiles } from './0028-unhashed-files.ts';
import { panelSessions } from './0029-panel-sessions.ts';
import { outsideAddress } from './0030-outside-address.ts';
import { changeNumbers } from './0031-change-numbers.ts';
import { uploadParts } from './0032-upload-parts.ts';
import { contentTags } from './0033-content-tags.ts';
import { searchForms } from './0034-search-forms.ts';
import { folderLooks } from './0035-folder-looks.ts';
import { readAgain } from './0036-read-again.ts';
import { newestFilms } from './0037-newest-films.ts';
import { recentFiles } from './0038-recent-files.ts';
import { photos } from './0039-photos.ts';
import { contents } from './0040-contents.ts';
import { checksumTags } from './0041-checksum-tags.ts';
import { embeddedRatings } from './0042-embedded-ratings.ts';
import { readMore } from './0043-read-more.ts';
import { backedUp } from './0044-backed-up.ts';
import { linksToSeveral } from './0045-links-to-several.ts';
import { albums } from './0050-albums.ts';
import { imports } from './0051-imports.ts';
import { activityChannel } from './0058-activity-channel.ts';
import { albumShares } from './0059-album-shares.ts';
import { albumLinks } from './0060-album-links.ts';
import { photoGroups } from './0062-photo-groups.ts';
import { photoPlaces } from './0063-photo-places.ts';
import { activityOf } from './0065-activity-of.ts';
import { settingNames } from './0066-setting-names.ts';
import { photoFilms } from './0067-photo-films.ts';
import { albumUndo } from './0068-album-undo.ts';
import { folderImports } from './0069-folder-imports.ts';
import { readBinaryOffice } from './0071-read-binary-office.ts';
import { itemLooks } from './0072-item-looks.ts';
import { importedPhotos } from './0073-imported-photos.ts';
import { importFolderAlbums } from './0074-import-folder-albums.ts';
import { foldSpacesWithoutWidth } from './0075-fold-spaces-without-width.ts';
import { seenShares } from './0076-seen-shares.ts';
import { foldMoreSigns } from './0077-fold-more-signs.ts';
import { readMoreKinds } from './0078-read-more-kinds.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  foundation,
  versionsAndUploads,
  webFlows,
  accountSecurity,
  activity,
  pictures,
  people,
  homeTrash,
  finding,
  locks,
  texts,
  mailQueue,
  shares,
  comments,
  weblinks,
  metadata,
  embedded,
  thumbnails,
  clientsOff,
  signInProtection,
  uploadIdentity,
  journalVersion,
  restartedUploads,
  contentHashes,
  appPasswords,
  webdav,
  tusUploads,
  unhashedFiles,
  panelSessions,
  outsideAddress,
  changeNumbers,
  uploadParts,
  contentTags,
  searchForms,
  folderLooks,
  readAgain,
  newestFilms,
  recentFiles,
  photos,
  contents,
  checksumTags,
  embeddedRatings,
  readMore,
  backedUp,
  linksToSeveral,
  albums,
  imports,
  activityChannel,
  albumShares,
  albumLinks,
  photoGroups,
  photoPlaces,
  activityOf,
  settingNames,
  photoFilms,
  albumUndo,
  folderImports,
  readBinaryOffice,
  itemLooks,
  importedPhotos,
  importFolderAlbums,
  foldSpacesWithoutWidth,
  seenShares,
  foldMoreSigns,
  readMoreKinds,
];
