import type { AccountCaller } from '../../../access/caller.ts';
import { readDocument, readSheets } from '../../../files/download/read-document.ts';
import { readText } from '../../../files/download/read-text.ts';
import { ApiError } from '../../../http/errors.ts';
import { extensionOf } from '../../../lib/names/file-types.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { humanSize } from '../../../listing/human.ts';
import { DEFAULT_SIDE } from '../../../media/thumbnails/sides.ts';
import { t } from '../../../messages/messages.ts';
import { type SheetReader, sheetReaderOf, shownTextReaderOf, type TextReader } from '../../../workers/text/kinds.ts';
import { wholeImage } from '../../shell/pictures.ts';
import { isThumbnailThere } from '../../shell/thumbnail-image.ts';
import { csvTable, csvTableHtml } from '../../viewer/csv-table.ts';
import { viewerKindOf } from '../../viewer/kinds.ts';
import { haveCells, sheetsHtml } from '../../viewer/sheets.ts';
import type { FilesLinks } from '../addresses.ts';
import { type FilesPagesParts, type Row, segmentsOf } from '../context.ts';

/**
 * The preview of a file in its page, or of an earlier version of it. Images, music and films come from their own address, where nothing can run; text is read
 * here and escaped into the page, that of documents as a worker extracts it. Formats that need a script get a sandboxed frame.
 * @throws ApiError when text cannot be read
 */
export async function preview(
  parts: FilesPagesParts,
  caller: AccountCaller,
  row: Row,
  links: FilesLinks,
  version: number | null = null,
): Promise<Html> {
  const source = links.content(row, version);
  const name = t('item.preview.name', { name: row.name });
  const shown = { row, links, version };
  const reader = shownTextReaderOf(extensionOf(row.name));
  const words = reader === null ? null : await documentPreview(parts, caller, shown, reader);
  if (words !== null) return words;
  const sheetReader = sheetReaderOf(extensionOf(row.name));
  const cells = sheetReader === null ? null : await sheetsPreview(parts, caller, shown, sheetReader);
  if (cells !== null) return cells;
  switch (viewerKindOf(row.name, row.type)) {
    case 'picture':
      // Previews do not move.
      if (row.hasThumbnail && extensionOf(row.name) !== 'gif')
        return enlarged(
          row,
          links,
          wholeImage((side) => links.thumbnail(row, side), row.pixels, name, 'whole'),
        );
      return enlarged(row, links, html`<img class="whole" src="${source}" alt="${name}">`);
    case 'video':
      return html`<video class="whole" src="${source}"${row.hasThumbnail ? html` poster="${links.thumbnail(row, 1_280)}"` : html``} controls preload="metadata" playsinline aria-label="${name}"></video>`;
    case 'audio':
      return html`<div class="sound">${coverOf(parts, row, links)}<audio src="${source}" controls preload="metadata" aria-label="${name}"></audio></div>`;
    case 'pdf':
    case 'markdown':
      return html`<iframe class="framed" src="${links.view(row.path, version)}" title="${name}" sandbox="allow-scripts" loading="lazy"></iframe>`;
    case 'text':
      return textPreview(parts, caller, row, name, version);
    default:
      // Formats that no browser displays: photos of phones and cameras, drawings, documents with a cover.
      if (row.hasThumbnail && (await isThumbnailThere(pictured(parts), caller, segmentsOf(row.path), 2_048)))
        return wholeImage((side) => links.thumbnail(row, side), row.pixels, name, 'whole');
      return noPreview(parts, row, t('item.preview.none'), t('item.preview.download'));
  }
}

interface Shown {
  readonly row: Row;
  readonly links: FilesLinks;
  readonly version: number | null;
}

/** The text of a document; null if there is none, or if it cannot be read now. */
async function documentPreview(
  parts: FilesPagesParts,
  caller: AccountCaller,
  { row, links, version }: Shown,
  reader: TextReader,
): Promise<Html | null> {
  const read = await unlessBusy(readDocument(parts.files, caller, segmentsOf(row.path), reader, version));
  if (read === null || read.text === '') return null;
  const hasFront =
    row.hasThumbnail && (await isThumbnailThere(pictured(parts), caller, segmentsOf(row.path), DEFAULT_SIDE));
  const front = hasFront ? html`<img class="front" src="${links.thumbnail(row)}" alt="">` : html``;
  const rest = read.isCut ? html` ${t('viewer.document.cut')}` : html``;
  return html`<div class="paper" role="region" aria-label="${t('item.preview.name', { name: row.name })}" tabindex="0">${front}<p class="help">${t('viewer.document.textOnly')}${rest}</p><div class="words">${read.text}</div></div>`;
}

/** The cells of a spreadsheet; null if there are none, or if they cannot be read now. */
async function sheetsPreview(
  parts: FilesPagesParts,
  caller: AccountCaller,
  shown: Shown,
  reader: SheetReader,
): Promise<Html | null> {
  const { row, version } = shown;
  const read = await unlessBusy(readSheets(parts.files, caller, segmentsOf(row.path), reader, version));
  // Web pages and texts under the old extension have no cells, but words.
  if (read === null && reader === 'excel') return documentPreview(parts, caller, shown, reader);
  if (read === null || !haveCells(read)) return null;
  const { note, tables } = sheetsHtml(read);
  return html`<div class="paper" role="region" aria-label="${t('item.preview.name', { name: row.name })}" tabindex="0">${note}${tables}</div>`;
}

/** A page has more to show than its preview. */
async function unlessBusy<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'too_many_requests') return null;
    throw error;
  });
}

/** Leads to the photo viewer; without a script, to the original. */
function enlarged(row: Row, links: FilesLinks, image: Html): Html {
  return html`<a class="enlarge" href="${links.content(row)}">${image}</a>`;
}

function pictured({ files, thumbnails }: FilesPagesParts) {
  return { ...files, thumbnails };
}

function coverOf(parts: FilesPagesParts, row: Row, links: FilesLinks): Html {
  if (!row.hasThumbnail) return typeIcon(parts, row);
  return html`<img class="cover" src="${links.thumbnail(row)}" width="240" height="240" alt="">`;
}

/** The icon of the type, and the reason why there is no preview. */
export function noPreview(parts: FilesPagesParts, row: Row, why: string, help = ''): Html {
  return html`<div class="no-preview">${typeIcon(parts, row)}<p class="strong">${why}</p>${help === '' ? html`` : html`<p>${help}</p>`}</div>`;
}

export function typeIcon({ basePath }: Pick<FilesPagesParts, 'basePath'>, { type }: Row): Html {
  return html`<img src="${basePath}/icons/${type}.svg" width="96" height="96" alt="">`;
}

async function textPreview(
  parts: FilesPagesParts,
  caller: AccountCaller,
  row: Row,
  name: string,
  version: number | null,
): Promise<Html> {
  const requested = { name, version: version ?? undefined };
  const read = await unlessBusy(readText(parts.files, caller, segmentsOf(row.path), requested));
  if (read === null) return noPreview(parts, row, t('viewer.failed.heading'), t('viewer.failed.help'));
  const { text, cutAt } = read;
  if (text === null) return noPreview(parts, row, t('viewer.notText.heading'), t('viewer.notText.help'));
  if (text === '') return noPreview(parts, row, t('viewer.empty'));
  const table = csvTable(row.name, text, cutAt !== null);
  if (table !== null) {
    const { cells, note } = csvTableHtml(table);
    return html`<div class="paper" role="region" aria-label="${name}" tabindex="0">${cells}${note}</div>`;
  }
  const rest = cutAt === null ? html`` : html`<p class="help">${t('viewer.cut', { size: humanSize(cutAt) })}</p>`;
  // HTML drops a line break right after the tag, so one is added.
  return html`<div class="paper" role="region" aria-label="${name}" tabindex="0"><pre>
${text}</pre>${rest}</div>`;
}
