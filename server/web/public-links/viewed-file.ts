import { type Html, html } from '../../lib/text/html.ts';
import type { OpenLink } from '../../weblinks/open-link.ts';
import { spoken } from '../shell/relative-time.ts';
import { photoViewerKindOf } from '../viewer/kinds.ts';
import type { LinkAddresses } from './addresses.ts';
import type { LinkRow } from './listing.ts';

interface ViewedIn {
  readonly to: LinkAddresses;
  readonly open: OpenLink;
  readonly canDownload: boolean;
  readonly now: number;
}

/**
 * What the photo viewer needs of a file that it shows; empty if the file is not shown in it.
 * @param hasPreview whether to give the address of its preview
 */
export function viewedAttributes({ to, canDownload, now, open }: ViewedIn, row: LinkRow, hasPreview = true): Html {
  const kind = row.isDir || !canDownload ? null : photoViewerKindOf(row);
  const isCounted = open.link.downloadLimit > 0;
  if (kind === null || open.link.forceSave || (isCounted && kind === 'picture')) return html``;
  const play = isCounted ? to.page(row.path, { fmode: 'open' }) : to.play(row.path);
  const time = row.changedAt === null ? '' : spoken(row.changedAt, now);
  return html` data-view="${kind}" data-path="${row.path}" data-name="${row.name}" data-when="${time}"${kind === 'picture' ? html`` : html` data-play="${play}"`}${partFacts(to, row)}${row.hasThumbnail && hasPreview ? html` data-thumbnail="${to.thumbnail(row.path)}"` : html``}`;
}

/**
 * For the script: the address of the film, and of each other photo of a burst its path, its name, and the addresses of its preview, its
 * page and its film.
 */
function partFacts(to: LinkAddresses, { burst, film }: LinkRow): Html {
  const filmAt = (path: string | null) => (path === null ? '' : to.play(path));
  const photos = burst.map(({ path, name, hasThumbnail, film }) => [
    ...[path, name, hasThumbnail ? to.thumbnail(path) : ''],
    ...[to.page(path), filmAt(film)],
  ]);
  const others = photos.length === 0 ? html`` : html` data-burst="${JSON.stringify(photos)}"`;
  return film === null ? others : html` data-film="${filmAt(film)}"${others}`;
}
