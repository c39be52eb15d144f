import type { Asker } from '../access/access.ts';
import { readStart } from '../files/read-start.ts';
import { extensionOf } from '../lib/file-types.ts';
import { type Html, html } from '../lib/html.ts';
import { type FilesPagesParts, type Row, segmentsOf } from './files-context.ts';
import { type FilesLinks, SAFE_PICTURES } from './files-links.ts';
import { filesTexts } from './files-texts.ts';

/** What browsers play by themselves. */
const PLAYED: Readonly<Record<string, 'audio' | 'video'>> = {
  ...Object.fromEntries(['mp4', 'm4v', 'webm', 'mov', 'ogv'].map((name) => [name, 'video'])),
  ...Object.fromEntries(
    ['mp3', 'm4a', 'm4b', 'aac', 'flac', 'ogg', 'oga', 'opus', 'wav'].map((name) => [name, 'audio']),
  ),
};

/** Text that is shown; of more, the beginning. Bytes. */
const MAX_TEXT = 256 * 1024;

/**
 * What is seen of a file in its page. Pictures, music and films come from their own address, in which nothing can run; text is
 * read here and written into the page as text, whatever stands in it.
 * @throws ApiError when text cannot be read
 */
export async function preview(parts: FilesPagesParts, asker: Asker, row: Row, links: FilesLinks): Promise<Html> {
  const { item } = filesTexts;
  const extension = extensionOf(row.name);
  const source = links.content(row.path);
  const name = item.preview(row.name);
  if (SAFE_PICTURES.has(extension)) return html`<img class="whole" src="${source}" alt="${name}">`;
  const player = PLAYED[extension];
  if (player === 'video') {
    return html`<video class="whole" src="${source}" controls preload="metadata" playsinline aria-label="${name}"></video>`;
  }
  if (player === 'audio') {
    return html`<div class="sound">${typeIcon(parts, row)}<audio src="${source}" controls preload="metadata" aria-label="${name}"></audio></div>`;
  }
  if (row.type === 'text' || row.type === 'code' || extension === 'csv' || extension === 'tsv') {
    return textPreview(parts, asker, row, name);
  }
  return noPreview(parts, row, item.noPreview, item.noPreviewHelp);
}

/** The icon of the type, and why there is no more to see. */
export function noPreview(parts: FilesPagesParts, row: Row, why: string, help = ''): Html {
  return html`<div class="no-preview">${typeIcon(parts, row)}<p class="strong">${why}</p>${help === '' ? html`` : html`<p>${help}</p>`}</div>`;
}

export function typeIcon({ basePath }: Pick<FilesPagesParts, 'basePath'>, { type }: Row): Html {
  return html`<img src="${basePath}/icons/${type}.svg" width="96" height="96" alt="">`;
}

async function textPreview(parts: FilesPagesParts, asker: Asker, row: Row, name: string): Promise<Html> {
  const { item } = filesTexts;
  const { content, size } = await readStart(parts.files, asker, segmentsOf(row.path), MAX_TEXT);
  const text = decoded(content);
  if (text === null) return noPreview(parts, row, item.notText, item.noPreviewHelp);
  if (text === '') return noPreview(parts, row, item.emptyText);
  const rest = size > MAX_TEXT ? html`<p class="help">${item.tooLong(MAX_TEXT)}</p>` : html``;
  // A line break right behind the tag belongs to the tag.
  return html`<div class="paper" role="region" aria-label="${name}" tabindex="0"><pre>
${text}</pre>${rest}</div>`;
}

/** @returns null for what is no text at all */
function decoded(content: Buffer): string | null {
  const [a, b] = content;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
    return new TextDecoder(a === 0xff ? 'utf-16le' : 'utf-16be').decode(content);
  }
  if (content.includes(0)) return null;
  try {
    // The last letter may be cut in the middle.
    return new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(content);
  }
}
