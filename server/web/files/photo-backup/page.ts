import { HOME_BASE } from '../../../access/access.ts';
import { missingPermissionFor } from '../../../access/rights.ts';
import type { AccountRecord } from '../../../accounts/accounts.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { LOCALE } from '../../../messages/catalogue.ts';
import { t } from '../../../messages/messages.ts';
import { sprite } from '../../shell/icons.ts';
import type { FilesLinks } from '../addresses.ts';

/** Whether an account can back up photos: it needs a home that it may upload to, and the answers of `files/receipt`. */
export function canBackUpPhotos({ homeId, permissions }: Pick<AccountRecord, 'homeId' | 'permissions'>): boolean {
  const needed = ['files/upload', 'files/createfolder', 'files/receipt'] as const;
  return homeId !== null && needed.every((action) => missingPermissionFor(action, permissions) === null);
}

/**
 * What the script needs to back up photos: what is selected, read and sent is not known to the server before.
 * @param photos the name of the list of photos
 */
export function photoBackupMain(links: FilesLinks, photos: string, household: string): Html {
  const folder = `${HOME_BASE}/${t('photoBackup.folder')}`;
  const home = html`<a href="${links.act('upload', HOME_BASE)}">${t('files.actions.upload')}</a>`;
  return html`<nav class="crumbs" aria-label="${t('files.breadcrumbs')}"><ol><li><a href="${links.folder('/PHOTOS')}">${photos}</a>${sprite('right')}</li></ol></nav>
<div class="photo-backup" data-folder="${folder}" data-home="${HOME_BASE}" data-household="${household}" data-photos="${links.folder('/PHOTOS')}" data-locale="${LOCALE}">
<div class="choosing"><h1>${t('photoBackup.heading', { device: 'other' })}</h1>
<p class="lead">${t('photoBackup.lead')}</p>
<p class="without-script">${t('photoBackup.script')} ${home}</p></div></div>`;
}
