import { extensionOf, type FileType } from '../../lib/names/file-types.ts';
import { sheetReaderOf, shownTextReaderOf } from '../../workers/text/kinds.ts';

type ViewerKind = 'picture' | 'video' | 'audio' | 'pdf' | 'markdown' | 'text';
/** What a frame shows: also the text of documents, and the cells of spreadsheets. */
export type FrameKind = ViewerKind | 'document' | 'sheets';

/** Images that browsers display and that cannot contain scripts. */
const SAFE_PICTURES: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif', 'bmp']);

const BY_EXTENSION: Readonly<Record<string, ViewerKind>> = Object.fromEntries([
  ...[...SAFE_PICTURES].map((name) => [name, 'picture']),
  // Formats that browsers play.
  ...['mp4', 'm4v', 'webm', 'mov', 'ogv'].map((name) => [name, 'video']),
  ...['mp3', 'm4a', 'm4b', 'aac', 'flac', 'ogg', 'oga', 'opus', 'wav'].map((name) => [name, 'audio']),
  ...['md', 'markdown'].map((name) => [name, 'markdown']),
  // A drawing that could contain scripts is shown as source text.
  ...['svg', 'csv', 'tsv'].map((name) => [name, 'text']),
]);

/** How a file is shown, by its name and type. @returns null for what cannot be shown */
export function viewerKindOf(name: string, type: FileType): ViewerKind | null {
  const extension = extensionOf(name);
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension] ?? null;
  if (type === 'pdf') return 'pdf';
  return type === 'text' || type === 'code' ? 'text' : null;
}

/** Whether a file is shown as text that people can read and edit, by its name and type. */
export function isShownAsText(name: string, type: FileType): boolean {
  const kind = viewerKindOf(name, type);
  return kind === 'text' || kind === 'markdown';
}

/** How a frame shows a file, by its name and type. @returns null for what cannot be shown */
export function frameKindOf(name: string, type: FileType): FrameKind | null {
  const extension = extensionOf(name);
  if (sheetReaderOf(extension) !== null) return 'sheets';
  return shownTextReaderOf(extension) === null ? viewerKindOf(name, type) : 'document';
}

/** What the photo viewer shows: pictures by their previews, and what may be played. */
type PhotoViewerKind = 'picture' | 'video' | 'audio';

/** How the photo viewer shows a file. @returns null for what has a page only */
export function photoViewerKindOf({
  name,
  type,
  hasThumbnail,
}: {
  readonly name: string;
  readonly type: FileType;
  readonly hasThumbnail: boolean;
}): PhotoViewerKind | null {
  if (type === 'image' || type === 'raw') return hasThumbnail ? 'picture' : null;
  const kind = viewerKindOf(name, type);
  if (kind === 'audio') return kind;
  // Browsers that lack a codec say so, so films of every kind are tried.
  return kind === 'video' || type === 'video' ? 'video' : null;
}
