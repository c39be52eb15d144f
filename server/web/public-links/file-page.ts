import { fileKind } from '../../lib/names/file-types.ts';
import { avatarColour } from '../../lib/text/avatar-colour.ts';
import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { humanSize } from '../../listing/human.ts';
import { t } from '../../messages/messages.ts';
import type { OpenLink } from '../../weblinks/open-link.ts';
import { initialOf } from '../shell/avatar.ts';
import { sprite } from '../shell/icons.ts';
import { wholeImage } from '../shell/pictures.ts';
import { spoken, when } from '../shell/relative-time.ts';
import { shownName } from '../shell/shown-name.ts';
import { photoViewerKindOf } from '../viewer/kinds.ts';
import type { LinkAddresses } from './addresses.ts';
import type { LinkRow } from './listing.ts';
import { viewedAttributes } from './viewed-file.ts';

interface LinkFilePage {
  readonly to: LinkAddresses;
  readonly open: OpenLink;
  readonly row: LinkRow;
  /** The folders on the path, the linked item first; empty if that is the file. */
  readonly breadcrumbs: readonly { readonly name: string; readonly path: string }[];
  /** Files of the same folder, in order. */
  readonly siblings: readonly LinkRow[];
  readonly canDownload: boolean;
  /** Whether its type can be shown at all. */
  readonly hasView: boolean;
  /** Whether a picture of it is shown instead, because its type cannot be. */
  readonly hasPicture: boolean;
  /** Why there is no preview, if its type could be shown. */
  readonly hidden: 'counted' | 'saved' | null;
  readonly facts: readonly Fact[];
  readonly comments: Html;
  readonly icons: string;
  readonly now: number;
}

/** A label and its value. */
export interface Fact {
  readonly name: string;
  readonly value: Html;
}

/** The page of one file: preview, details and download. */
export function linkFileMain(page: LinkFilePage): Html {
  const { row, icons, to, canDownload, open, comments } = page;
  const kind = fileKind(row.name, false).description;
  const size =
    row.size === null
      ? html``
      : html` · <span title="${t('sizes.exact', { count: row.size })}">${humanSize(row.size)}</span>`;
  const button = canDownload
    ? html`<form method="post" action="${to.form('get', row.path)}"><button class="primary" name="all" value="1">${sprite('download')}<span>${t('files.actions.download')}</span></button></form>`
    : html``;
  return html`<main id="content" class="viewer" tabindex="-1"><div class="stage">${way(page)}${stage(page)}</div>
<aside class="facts"><div class="title"><img src="${icons}/${row.type}.svg" width="48" height="48" alt=""><div><h1>${bidiIsolate(row.name)}</h1><p class="meta">${kind}${size}</p></div></div>
${button}
<dl>${factsOf(page).map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${comments}
${page.hidden === null && page.hasView ? html`<p class="safe">${t('links.file.safe', { name: open.creator.name })}</p>` : html``}</aside></main>`;
}

function factsOf({ row, open, facts, now }: LinkFilePage): Fact[] {
  const { link, creator } = open;
  const who = html`<span class="avatar small ${avatarColour(creator.id)}" aria-hidden="true">${initialOf(creator.name)}</span>${creator.name}`;
  return [
    { name: t('links.file.sharedBy'), value: who },
    ...(row.changedAt === null ? [] : [{ name: t('links.file.modified'), value: when(row.changedAt, now) }]),
    ...(link.expiresAt === null
      ? []
      : [{ name: t('links.file.openUntil'), value: html`${spoken(link.expiresAt, now)}` }]),
    ...(link.downloadLimit === 0
      ? []
      : [
          {
            name: t('links.file.downloads'),
            value: html`${t('links.file.downloadsUsed', { used: link.downloads, limit: link.downloadLimit })}`,
          },
        ]),
    ...facts,
  ];
}

/** The links back, and to the previous and next file. */
function way({ to, breadcrumbs, siblings, row }: LinkFilePage): Html {
  if (breadcrumbs.length === 0) return html``;
  const steps = breadcrumbs.map(
    ({ name, path }) => html`<li><a href="${to.page(path)}">${shownName(name)}</a>${sprite('right')}</li>`,
  );
  return html`<div class="item-nav"><nav class="crumbs" aria-label="${t('links.folder.breadcrumbs')}"><ol>${steps}</ol></nav>${neighbours({ to, siblings, row })}</div>`;
}

function neighbours({ to, siblings, row }: Pick<LinkFilePage, 'to' | 'siblings' | 'row'>): Html {
  const index = siblings.findIndex(({ path }) => path === row.path);
  if (index < 0 || siblings.length < 2) return html``;
  const step = (there: LinkRow | undefined, rel: 'prev' | 'next') => {
    const drawing = sprite(rel === 'prev' ? 'left' : 'right');
    if (there === undefined) return html`<span class="step" aria-hidden="true">${drawing}</span>`;
    const label =
      rel === 'prev' ? t('links.file.previous', { name: there.name }) : t('links.file.next', { name: there.name });
    return html`<a class="step" rel="${rel}" href="${to.page(there.path)}" aria-label="${label}" title="${bidiIsolate(there.name)}">${drawing}</a>`;
  };
  return html`<div class="steps-along">${step(siblings[index - 1], 'prev')}<span>${t('links.file.position', { index: index + 1, total: siblings.length })}</span>${step(siblings[index + 1], 'next')}</div>`;
}

function stage({ to, row, open, canDownload, hasView, hasPicture, hidden, icons, now }: LinkFilePage): Html {
  const drawing = html`<img src="${icons}/${row.type}.svg" width="96" height="96" alt="">`;
  const instead = (heading: string, help: string) =>
    html`<div class="no-preview">${drawing}<p class="strong">${heading}</p><p>${help}</p></div>`;
  const view = canDownload ? photoViewerKindOf(row) : null;
  if (hidden === 'counted' && (view === 'video' || view === 'audio')) {
    const { downloads: used, downloadLimit: limit } = open.link;
    return html`<div class="no-preview">${drawing}<p class="strong">${t('links.file.counted.heading')}</p><p>${t('links.play.counts', { used, limit })}</p><p><a class="button" href="${to.page(row.path, { fmode: 'open' })}">${sprite('play')}${t('links.play.play')}</a></p></div>`;
  }
  if (hidden === 'counted') return instead(t('links.file.counted.heading'), t('links.file.counted.help'));
  if (hidden === 'saved') return instead(t('links.file.saved.heading'), t('links.file.saved.help'));
  const name = t('links.file.preview', { name: row.name });
  if (hasPicture) {
    const image = wholeImage((side) => to.thumbnail(row.path, side), row.pixels, name, 'pictured');
    const viewed = viewedAttributes({ to, open, canDownload, now }, row);
    if (viewed.text === '') return image;
    // Without a script, the picture alone.
    return html`<a class="enlarge" href="${to.thumbnail(row.path, 2_048)}" data-icons="${icons}"${viewed}>${image}</a>`;
  }
  // No byte of a film is sent before it is played.
  if (hasView && view === 'video') {
    const poster = row.hasThumbnail ? html` poster="${to.thumbnail(row.path, 1_280)}"` : html``;
    return html`<video class="film" src="${to.play(row.path)}"${poster} controls preload="none" playsinline aria-label="${name}"></video>`;
  }
  if (!hasView) return instead(t('links.file.noPreview.heading'), t('links.file.noPreview.help'));
  return html`<iframe class="${row.type}" sandbox="allow-scripts" src="${to.view(row.path)}" title="${name}" allowfullscreen></iframe>`;
}
