import { HOME_BASE } from '../../../access/access.ts';
import { fileKind } from '../../../lib/names/file-types.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { humanSize } from '../../../listing/human.ts';
import { t, tHtml } from '../../../messages/messages.ts';
import type { PageAssets } from '../../shell/assets/page-assets.ts';
import { sprite } from '../../shell/icons.ts';
import { when } from '../../shell/relative-time.ts';
import { photoViewerKindOf } from '../../viewer/kinds.ts';
import { type Abilities, actionsFor, type ItemAction } from '../abilities.ts';
import { contentMark, type FilesLinks } from '../addresses.ts';
import type { Listed, NamedPath, Row } from '../context.ts';
import { crumbs } from '../frame.ts';
import { actionIcon } from '../listing/list-parts.ts';
import { filmInside, partsJson, wholeList } from '../photos/whole.ts';

interface ItemPage {
  readonly links: FilesLinks;
  readonly row: Row;
  /** The folder or list that the item is shown in. */
  readonly list: Listed;
  /** The path to it, without the item itself. */
  readonly breadcrumbs: readonly NamedPath[];
  /** The list the page was opened from, if not the folder. */
  readonly from: string | null;
  readonly abilities: Abilities;
  readonly preview: Html;
  /** The visitor who sent it through a link, by the name they entered; null for others. */
  readonly sender: string | null;
  readonly now: number;
  readonly icons: string;
  /** For styles that only this page uses; folders do not load them. */
  readonly assets: PageAssets;
  readonly done: Html;
  /** The metadata section. */
  readonly details: Html;
  /** The comments section. */
  readonly comments: Html;
  /** Shows a folder as an album. */
  readonly albumSwitch: Html;
}

/** The page of one file, with its preview and actions, or of a folder, with its details. */
export function itemMain(page: ItemPage): Html {
  const { links, row, breadcrumbs, abilities, preview, icons, assets, done, details, comments } = page;
  const able = actionsFor(abilities, row);
  const primary = row.isDir
    ? html`<a class="button primary" href="${links.folder(row.path)}">${sprite('folder')}${t('files.actions.open')}</a>`
    : able.includes('download')
      ? html`<a class="button primary" href="${links.download(row.path)}" data-do="download">${sprite('download')}${t('files.actions.download')}</a>`
      : html``;
  // Tags have a form of their own on this page.
  const rest = able.filter((action) => action !== 'tag' && (action !== 'download' || row.isDir));
  const kind = fileKind(row.name, row.isDir).description;
  const view = row.isDir || !able.includes('download') ? null : photoViewerKindOf(row);
  return html`<div class="viewer"><div class="stage"><div class="item-nav">${crumbs(links, [...breadcrumbs, { name: row.name, path: row.path }])}${neighbours(page)}</div><div class="shown" data-content="${contentMark(row) ?? ''}">${preview}</div></div>
<aside class="facts" data-path="${row.path}" data-back="${page.list.meta.path}" data-name="${row.name}"${row.parts.length === 0 ? html`` : html` data-parts="${partsJson(row.parts)}"`}${view === null ? html`` : html` data-view="${view}"`}><div class="title"><img src="${icons}/${row.type}.svg" width="48" height="48" alt=""><div><h1>${bidiIsolate(row.name)}</h1><p class="meta">${kind}${row.size === null ? html`` : html` · <span title="${row.size}">${humanSize(row.size)}</span>`}</p></div></div>
${done}
${primary}
<ul class="item-actions">${actionList(
    page,
    rest.filter((action) => action !== 'delete'),
  )}${page.albumSwitch}${actionList(
    page,
    rest.filter((action) => action === 'delete'),
  )}</ul>
${wholeList(links, row)}${filmInside(links, row, able.includes('download') && row.deleted === null)}${factList(page)}
${assets.load('comments', 'details')}${details}${comments}</aside></div>`;
}

function actionList(page: ItemPage, actions: readonly ItemAction[]): Html {
  return html`${actions.map((action) => html`<li>${actionLink(page, action)}</li>`)}`;
}

/** Actions that are for all of a Live Photo or a burst. */
const WITH_PARTS: ReadonlySet<ItemAction> = new Set(['share', 'album', 'move', 'copy', 'delete']);

function actionLink({ links, row }: ItemPage, action: ItemAction): Html {
  if (action === 'download') {
    return html`<a href="${links.download(row.path)}" data-do="download">${sprite('download')}${t('files.actions.download')}</a>`;
  }
  const grave = action === 'delete' || action === 'erase' ? html` class="danger"` : html``;
  const isPage = action === 'edit' || action === 'share' || action === 'link' || action === 'versions';
  const isWhole = row.parts.length > 0 && WITH_PARTS.has(action);
  const address = isWhole
    ? links.act(action === 'share' ? 'share-with' : action, row.path, { whole: '1' })
    : isPage
      ? links[action](row.path)
      : links.act(action, row.path);
  return html`<a href="${address}" data-do="${action}"${grave}>${sprite(actionIcon(action))}${t(`files.actions.${action}`)}</a>`;
}

function factList(page: ItemPage): Html {
  const { row, links, now, sender } = page;
  const parent = row.path.slice(0, row.path.lastIndexOf('/'));
  const isOfAlbum = row.rights?.isOfAlbum === true;
  // Anonymous shares are listed beside the people.
  const folder = { name: row.folder, path: parent === '/ROOT/0' ? '/ROOT/SHARED' : parent };
  const fact = (name: string, value: Html) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl>${row.changedAt === null ? html`` : fact(t('item.modified'), when(row.changedAt, now))}${
    sender === null
      ? html``
      : fact(
          t('item.sentBy'),
          tHtml('item.sender', {
            name: html`<bdi>${bidiIsolate(sender)}</bdi>`,
            whose: row.path.startsWith(`${HOME_BASE}/`) ? 'own' : 'other',
          }),
        )
  }${
    isOfAlbum
      ? fact(
          t('item.album'),
          html`<a href="${links.album(parent.slice(parent.lastIndexOf('/') + 1))}">${bidiIsolate(page.list.meta.folderName)}</a>`,
        )
      : fact(t('item.folder'), html`<a href="${links.folder(folder.path)}">${bidiIsolate(folder.name)}</a>`)
  }${row.version === null || row.version === 1 ? html`` : fact(t('item.version'), html`${t('item.versionValue', { version: row.version })}${versionsLink(page)}`)}${
    row.isLocked || row.lock !== undefined ? fact(t('item.locked'), html`${row.lock ?? sprite('lock')}`) : html``
  }</dl>`;
}

function versionsLink({ abilities, row, links }: ItemPage): Html {
  if (!actionsFor(abilities, row).includes('versions')) return html``;
  return html` · <a href="${links.versions(row.path)}">${t('item.versionsLink')}</a>`;
}

/** The previous and next file in the list. */
function neighbours({ links, row, list, from }: ItemPage): Html {
  const files = list.rows.filter(({ isDir }) => !isDir);
  const index = files.findIndex(({ path }) => path === row.path);
  if (index < 0 || files.length < 2) return html``;
  const link = (there: Row | undefined, rel: 'prev' | 'next') => {
    const drawing = sprite(rel === 'prev' ? 'left' : 'right');
    if (there === undefined) return html`<span class="step" aria-hidden="true">${drawing}</span>`;
    const label = rel === 'prev' ? t('item.previous', { name: there.name }) : t('item.next', { name: there.name });
    return html`<a class="step ${rel}" rel="${rel}" href="${links.item(there.path, from)}" aria-label="${label}" title="${bidiIsolate(there.name)}">${drawing}</a>`;
  };
  return html`<div class="steps-along">${link(files[index - 1], 'prev')}<span>${t('item.position', { index: index + 1, total: files.length })}</span>${link(files[index + 1], 'next')}</div>`;
}
