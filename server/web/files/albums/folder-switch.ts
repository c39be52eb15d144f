import { missingPermissionFor } from '../../../access/rights.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import { hidden } from '../../shell/form-fields.ts';
import { sprite } from '../../shell/icons.ts';
import type { Row } from '../context.ts';
import type { PageRequest } from '../listing/page-request.ts';

/** The one switch that shows a folder as an album, and a link to the album. */
export async function folderAlbumSwitch(
  { parts, caller, links, visitor }: PageRequest,
  { path, uuid }: Pick<Row, 'path' | 'uuid'>,
): Promise<Html> {
  if (uuid === null || missingPermissionFor('albums/folder', caller.account.permissions) !== null) return html``;
  const album = await parts.albumsContext.albums.ofFolderUuid(caller.account.id, uuid);
  const fields = { form_token: visitor.formToken, path, ...(album === null ? {} : { album: album.uuid }) };
  const text = album === null ? t('albums.show') : t('albums.hide');
  const link =
    album === null
      ? html``
      : html`<li><a href="${links.album(album.uuid)}">${sprite('photo')}${t('albums.see')}</a></li>`;
  return html`${link}<li><form class="album-form" method="post" action="${links.albumForm('folder')}">${hidden(fields)}<button>${sprite('album')}${text}</button></form></li>`;
}
