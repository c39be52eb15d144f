import type { AccountRecord } from '../../../accounts/accounts.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { humanSize } from '../../../listing/human.ts';
import { t } from '../../../messages/messages.ts';
import { colorDot } from '../../shell/color-dot.ts';
import { sprite } from '../../shell/icons.ts';
import { fittedClasses, fittedImage, type PictureAddress } from '../../shell/pictures.ts';
import { spoken, when } from '../../shell/relative-time.ts';
import { shownName } from '../../shell/shown-name.ts';
import { photoViewerKindOf } from '../../viewer/kinds.ts';
import { type Abilities, actionsWithout, isEditable } from '../abilities.ts';
import { contentMark, type FilesLinks } from '../addresses.ts';
import type { Row } from '../context.ts';
import { filmMark, partsJson, wholeMark } from '../photos/whole.ts';
import { stateOf } from '../weblinks/state.ts';
import type { Look } from './look.ts';

export interface Rows {
  readonly rows: readonly Row[];
  readonly look: Look;
  readonly links: FilesLinks;
  /** The folder or list that contains them; null if none does. */
  readonly path: string | null;
  readonly now: number;
  readonly icons: string;
  /** Whether contents may be viewed. */
  readonly canOpen: boolean;
  /** Whether they come from different folders: each shows its own. */
  readonly isScattered: boolean;
  /** What may be done with the entries of the list; an entry in a share may allow less. */
  readonly abilities: Abilities;
  readonly account: Pick<AccountRecord, 'permissions'>;
  /** The name of an entry, with parts of it marked. */
  readonly nameOf?: (row: Row) => Html | string;
  /** Whether an entry is new to the person. */
  readonly isNew?: (row: Row) => boolean;
  /** Where an entry is, if entries come from different folders. */
  readonly placeOf?: (row: Row) => string;
}

/**
 * The entries of a folder, as a list or a gallery: the same elements, laid out by CSS. Elements that only the script needs are
 * created by it.
 */
export function itemRows(shown: Rows): Html {
  const { rows, look } = shown;
  // In a gallery, files begin on a new row.
  const firstFile = look.view === 'gallery' ? rows.findIndex(({ isDir }) => !isDir) : -1;
  const rowBreak = html`<li class="break" aria-hidden="true"></li>`;
  return html`${rows.map((row, index) => html`${index === firstFile && index > 0 ? rowBreak : html``}${itemRow(row, shown)}`)}`;
}

/** Longer names may not fit into a row of a narrow window, or into a tile, in characters. */
export const LONG_NAME = 16;

/** For the viewer, where a list shows another time. */
function takenFact({ takenAt, changedAt }: Row, now: number): Html {
  const isOther = takenAt !== null && Math.abs(takenAt - (changedAt ?? 0)) >= 1_000;
  return isOther ? html` data-taken="${spoken(takenAt, now)}"` : html``;
}

function pictureIn({ canOpen, abilities, links }: Rows, row: Row): PictureAddress | null {
  if (row.deleted !== null) return abilities.deletedPictures ? links.deletedPicture(row) : null;
  return canOpen && row.canOpen ? links.picture(row) : null;
}

/** One entry, without regard to its neighbours. */
export function itemRow(row: Row, shown: Rows): Html {
  const { links, look, path, now, icons, isScattered } = shown;
  const { name, isDir, isStarred, isLocked, deleted } = row;
  const isGallery = look.view === 'gallery';
  const seen = pictureIn(shown, row);
  const picture = isGallery ? seen : null;
  const classes = [
    'item',
    ...(isDir ? ['dir'] : []),
    ...(picture === null ? [] : ['image', fittedClasses(row.pixels)]),
  ];
  const image = isGallery && seen !== null ? fittedImage(seen, row.pixels, { alt: '' }) : smallImage(row, seen, icons);
  const length =
    row.type !== 'video' || (seen === null && !isGallery)
      ? html``
      : html`<span class="play">${sprite('play')}${row.length === null ? html`` : html`<span class="length">${row.length}</span>`}</span>`;
  const view = !isDir && shown.canOpen && row.canOpen && deleted === null ? photoViewerKindOf(row) : null;
  const link = row.link === null ? null : stateOf(row.link, now).join(' · ');
  const place =
    deleted !== null
      ? t('files.row.from', { folder: bidiIsolate(row.folder) })
      : (link ?? (isScattered ? (shown.placeOf?.(row) ?? row.folder) : undefined));
  const time = deleted?.at ?? row.changedAt;
  const changed = time === null ? html`` : when(time, now);
  const size = row.size !== null ? humanSize(row.size) : entriesText(row);
  // The tile of a folder has no room for more.
  const isTile = time === null || (isGallery && isDir);
  const labelled =
    row.label === null
      ? html``
      : html`<span class="labelled">${colorDot(row.label.color)}<span class="unseen">${t('files.row.label')} </span><bdi>${row.label.value}</bdi></span>`;
  const fresh = shown.isNew?.(row) === true ? html`<span class="new-badge">${t('files.row.new')}</span>` : html``;
  const marks = html`${fresh}${labelled}${isGallery ? html`` : filmMark(row)}${isStarred ? html`<span class="mark" title="${t('files.row.starred')}">${sprite('starFilled')}<span class="unseen">${t('files.row.starred')}</span></span>` : html``}${
    isLocked || row.lock !== undefined
      ? html`<span class="mark" title="${row.lock ?? t('files.row.locked')}">${sprite('lock')}<span class="unseen">${row.lock ?? t('files.row.locked')}</span></span>`
      : html``
  }${
    row.isShared
      ? html`<span class="mark" title="${t('files.row.shared')}">${sprite('users')}<span class="unseen">${t('files.row.shared')}</span></span>`
      : html``
  }${
    row.hasLink && row.link === null
      ? html`<span class="mark" title="${t('files.row.linked')}">${sprite('link')}<span class="unseen">${t('files.row.linked')}</span></span>`
      : html``
  }`;
  const inner = html`${image}${length}${isGallery ? wholeMark(row) : html``}<span class="what"><span class="name">${shown.nameOf?.(row) ?? shownName(name, LONG_NAME)}</span>${
    place === undefined ? html`` : html`<span class="item-folder">${place}</span>`
  }<span class="sub">${link ?? [size, isTile ? '' : spoken(time, now)].filter((part) => part !== '').join(' · ')}</span></span>${marks}`;
  const restore = links.act('restore', row.path);
  const open =
    deleted !== null ? restore : isDir ? links.folder(row.path) : links.item(row.path, isScattered ? path : null);
  // A file's own page has all of its actions; a folder opens its listing instead.
  const isMore = isDir && deleted === null;
  const more = isMore
    ? html`<a class="more" href="${links.item(row.path)}" aria-label="${t('files.row.more', { name })}">${sprite('dots')}</a>`
    : html``;
  const cannot = actionsWithout(shown.account, shown.abilities, row);
  const lacking = cannot.length === 0 ? html`` : html` data-cannot="${cannot.join(' ')}"`;
  return html`<li class="${classes.join(' ')}"${isStarred ? html` data-starred` : html``}${row.canOpen ? html`` : html` data-closed`}${lacking}${row.parts.length === 0 ? html`` : html` data-parts="${partsJson(row.parts)}"`}${view === null ? html`` : html` data-view="${view}" data-mark="${contentMark(row) ?? ''}"${row.hasThumbnail ? html` data-thumbnail` : html``}${row.hasFilm ? html` data-film` : html``}${takenFact(row, now)}`}${isEditable(row) ? html` data-text` : html``}>
<a class="open" href="${open}">${inner}</a><span class="when">${changed}</span><span class="bytes"${row.size === null ? html`` : html` title="${row.size}"`}>${size}</span>${more}</li>
`;
}

/** The picture of an entry in a list: square, with what is in the middle. */
function smallImage({ type }: Row, seen: PictureAddress | null, icons: string): Html {
  return seen === null
    ? html`<img class="type" src="${icons}/${type}.svg" width="36" height="36" alt="">`
    : html`<img class="thumb" src="${seen(200)}" width="40" height="40" loading="lazy" decoding="async" alt="">`;
}

function entriesText({ entries, deleted }: Row): string {
  return entries === null || deleted !== null ? '' : t('files.count.items', { count: entries });
}
