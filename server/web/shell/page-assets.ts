import { type Html, html } from '../../lib/text/html.ts';
import { type EntryFiles, readClientFiles } from './client-files.ts';

/** What the household's pages load. The key is how pages call it, the value its source below `web-client/`. */
export const PAGE_ENTRIES = {
  base: 'styles/base.css',
  account: 'styles/account.css',
  comments: 'styles/comments.css',
  filesStyles: 'files/files.css',
  details: 'files/details.css',
  files: 'files/main.ts',
  share: 'files/share.ts',
  weblink: 'files/weblink.ts',
  linkStyles: 'public-link/link.css',
  link: 'public-link/main.ts',
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

/** How pages name what they load. */
export interface PageAssets {
  /** Where drawings are, without a slash at the end. */
  readonly base: string;
  /** The elements of the head that load entries: first the styles of all of them, then the scripts and what these import. */
  load(...entries: readonly PageEntry[]): Html;
  /** The folder that a document of the viewer may load from, with a slash at its end. */
  readonly viewerFolder: string;
  loadInViewer(...entries: readonly ViewerEntry[]): Html;
}

/** @param base where all of it is given out, without a slash at the end @throws Error when the client is not built */
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
    // Its documents have an origin of their own, for which everything is elsewhere.
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
