import { HOME_BASE } from '../../../access/access.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import { itemInFolder } from '../../../catalogue/find.ts';
import { livePhotoOf, type PhotoPart, partsOfPhotos } from '../../../catalogue/photos.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import { sprite } from '../../shell/icons.ts';
import type { FilesLinks } from '../addresses.ts';
import { type FilesPagesParts, orNotThere, type Row } from '../context.ts';

// Photos that are shown as one with their film, or with the other photos of a burst.

/** What a photo stands for: how many photos with itself, and how many films. */
function countsOf(parts: readonly PhotoPart[]): { readonly photos: number; readonly films: number } {
  const films = parts.filter(({ isFilm }) => isFilm).length;
  return { photos: 1 + parts.length - films, films };
}

/** On the tile of a burst, and of a photo with a film, which is another file or inside of it; nothing for any other photo. */
export function wholeMark({ parts, hasFilm }: Pick<Row, 'parts' | 'hasFilm'>): Html {
  const { photos, films } = countsOf(parts);
  if (photos > 1) return html`<span class="whole">${t('photos.burst', { count: photos })}</span>`;
  return films > 0 || hasFilm ? html`<span class="whole">${t('photos.live')}</span>` : html``;
}

/** The same in a list, for a photo with a film inside. */
export function filmMark({ hasFilm }: Pick<Row, 'hasFilm'>): Html {
  if (!hasFilm) return html``;
  return html`<span class="mark" title="${t('photos.motionPhoto')}">${sprite('play')}<span class="unseen">${t('photos.motionPhoto')}</span></span>`;
}

/** For the script: names, of a film that of its photo, how a photo is called whose name is a path, and 1 if it has a film inside. */
export function partsJson(parts: readonly PhotoPart[]): string {
  return JSON.stringify(partsList(parts));
}

export function partsList(parts: readonly PhotoPart[]): (readonly (string | number | null)[])[] {
  return parts.map(({ name, filmOf, label, hasFilm }) => {
    if (hasFilm) return [name, filmOf, label ?? null, 1];
    if (label !== undefined) return [name, filmOf, label];
    return filmOf === null ? [name] : [name, filmOf];
  });
}

/**
 * What belongs to a photo of the caller's own home; nothing for anything else.
 * @param path of its segments
 */
export async function partsAt(
  { files, listing }: Pick<FilesPagesParts, 'files' | 'listing'>,
  caller: AccountCaller,
  path: readonly string[],
): Promise<readonly PhotoPart[]> {
  if (caller.account.homeId === null || !`/${path.join('/')}`.startsWith(`${HOME_BASE}/`)) return [];
  const home = await files.access.homeOf(caller);
  const below = path.slice(HOME_BASE.split('/').length - 1);
  const found = await itemInFolder(listing.database, home.id, below.slice(0, -1), below.at(-1) ?? '');
  if (found === null) return [];
  return (await partsOfPhotos(listing.database, [found.item.id])).get(found.item.id) ?? [];
}

/** Photos of the caller's own home with all that belongs to them, each once. */
export async function withParts(
  parts: Pick<FilesPagesParts, 'files' | 'listing'>,
  caller: AccountCaller,
  paths: readonly (readonly string[])[],
): Promise<(readonly string[])[]> {
  const whole = new Map<string, readonly string[]>();
  for (const path of paths) {
    whole.set(path.join('/'), path);
    for (const { name } of await partsAt(parts, caller, path)) {
      const part = [...path.slice(0, -1), name];
      whole.set(part.join('/'), part);
    }
  }
  return [...whole.values()];
}

/** Photos and films, with the rest of their Live Photos where the caller reaches it in the same folder. Each once. */
export async function withLivePhotos(
  { files, listing }: Pick<FilesPagesParts, 'files' | 'listing'>,
  caller: AccountCaller,
  paths: readonly (readonly string[])[],
): Promise<(readonly string[])[]> {
  const whole = new Map(paths.map((path) => [path.join('/'), path]));
  for (const path of paths) {
    const target = await orNotThere(files.access.resolveItem(caller, path, 'files/browse'));
    // What is shared by itself is in no folder of the caller.
    if (target === null || target.segments.length <= target.top) continue;
    const { home, segments } = target;
    const found = await itemInFolder(listing.database, home.id, segments.slice(0, -1), segments.at(-1) ?? '');
    const names = found === null ? [] : await livePhotoOf(listing.database, found.item.id);
    for (const name of names) {
      const part = [...path.slice(0, -1), name];
      whole.set(part.join('/'), part);
    }
  }
  return [...whole.values()];
}

/** On the page of a photo with a film inside. @param canPlay whether the account may have its content */
export function filmInside(links: FilesLinks, { path, hasFilm }: Row, canPlay: boolean): Html {
  if (!hasFilm || !canPlay) return html``;
  return html`<section class="whole-list"><h2>${t('photos.motionPhoto')}</h2><p><a href="${links.film(path)}">${t('photos.playFilm')}</a></p></section>`;
}

/** On the page of a photo: what belongs to it. */
export function wholeList(links: FilesLinks, { path, parts }: Row): Html {
  if (parts.length === 0) return html``;
  const { photos } = countsOf(parts);
  const folder = path.slice(0, path.lastIndexOf('/'));
  const entry = ({ name }: PhotoPart) =>
    html`<li><a href="${links.item(`${folder}/${name}`)}">${bidiIsolate(name)}</a></li>`;
  const heading = photos > 1 ? t('photos.burst', { count: photos }) : t('photos.livePhoto');
  return html`<section class="whole-list"><h2>${heading}</h2><p class="help">${t('photos.wholeHelp')}</p><ul>${parts.map(entry)}</ul></section>`;
}
