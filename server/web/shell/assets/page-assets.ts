import { type Html, html } from '../../../lib/text/html.ts';
import { type EntryFiles, readClientFiles } from './client-files.ts';

/** The entries of the household's pages. The key is the name used by pages, the value the source below `web-client/`. */
export const PAGE_ENTRIES = {
  base: 'styles/base.css',
  account: 'styles/account.css',
  copy: 'account/copy.ts',
  continue: 'account/continue.ts',
  fields: 'account/fields.ts',
  keys: 'account/keys.ts',
  comments: 'styles/comments.css',
  filesStyles: 'files/files.css',
  details: 'files/details.css',
  photos: 'files/photos.css',
  albums: 'files/albums.css',
  map: 'files/map.css',
  importStyles: 'files/imports.css',
  photoBackupStyles: 'photo-backup/photo-backup.css',
  photoBackup: 'photo-backup/main.ts',
  editing: 'files/editing.css',
  versions: 'files/versions.css',
  comparison: 'files/comparison.css',
  files: 'files/main.ts',
  share: 'files/share.ts',
  weblink: 'files/weblink.ts',
  linkStyles: 'public-link/link.css',
  link: 'public-link/main.ts',
  trustStyles: 'trust/trust.css',
  trust: 'trust/main.ts',
  unreachable: 'worker/unreachable.ts',
  unreachableStyles: 'worker/unreachable.css',
} as const;

/** The same for the documents in the viewer's frame. */
export const VIEWER_ENTRIES = {
  base: 'styles/base.css',
  viewer: 'viewer/viewer.css',
  pdf: 'viewer/pdf.ts',
  markdown: 'viewer/markdown.ts',
} as const;

export type PageEntry = keyof typeof PAGE_ENTRIES;
export type ViewerEntry = keyof typeof VIEWER_ENTRIES;

/** How pages refer to their assets. */
export interface PageAssets {
  /** Base address of drawings, without a trailing slash. */
  readonly base: string;
  /** The head elements for entries: first the styles of all of them, then the scripts and their imports. */
  load(...entries: readonly PageEntry[]): Html;
  /** The folder a viewer document may load from, with a trailing slash. */
  readonly viewerFolder: string;
  loadInViewer(...entries: readonly ViewerEntry[]): Html;
}

/** @param base where they are served, without a trailing slash @throws Error when the client is not built */
export function createPageAssets(base: string): PageAssets {
  const pages = readClientFiles('');
  const viewer = readClientFiles('viewer/');
  const viewerFolder = `${base}/viewer/`;
  const pageEntries = mapValues(PAGE_ENTRIES, (source) => pages.entry(source));
  const viewerEntries = mapValues(VIEWER_ENTRIES, (source) => viewer.entry(source));
  return {
    base,
    viewerFolder,
    load: (...entries) =>
      elementsFor(
        entries.map((entry) => pageEntries[entry]),
        `${base}/`,
      ),
    // Viewer documents have an opaque origin, so addresses must be absolute.
    loadInViewer: (...entries) =>
      elementsFor(
        entries.map((entry) => viewerEntries[entry]),
        viewerFolder,
        html` crossorigin="anonymous"`,
      ),
  };
}

function elementsFor(entries: readonly EntryFiles[], folder: string, attributes = html``): Html {
  const unique = (names: readonly string[]) => [...new Set(names)];
  const styles = unique(entries.flatMap((entry) => entry.styles));
  const scripts = unique(entries.flatMap(({ script }) => script ?? []));
  const imports = unique(entries.flatMap((entry) => entry.imports)).filter((name) => !scripts.includes(name));
  return html`${styles.map((name) => html`<link rel="stylesheet" href="${folder}${name}"${attributes}>`)}${imports.map(
    (name) => html`<link rel="modulepreload" href="${folder}${name}"${attributes}>`,
  )}${scripts.map((name) => html`<script type="module" src="${folder}${name}"${attributes}></script>`)}`;
}

function mapValues<Key extends string, From, To>(
  values: Readonly<Record<Key, From>>,
  change: (value: From) => To,
): Record<Key, To> {
  const entries = Object.entries<From>(values).map(([key, value]) => [key, change(value)]);
  return Object.fromEntries(entries);
}
