import type { Response } from 'express';
import { ownAddress } from '../../http/connection/hosts.ts';
import { sendBody } from '../../http/response/send-buffer.ts';
import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { humanSize } from '../../listing/human.ts';
import { LANGUAGE } from '../../messages/catalogue.ts';
import { t } from '../../messages/messages.ts';
import type { Sheets } from '../../workers/text/sheets/collector.ts';
import type { PageAssets, ViewerEntry } from '../shell/assets/page-assets.ts';
import { icon } from '../shell/icons.ts';
import { csvTable, csvTableHtml } from './csv-table.ts';
import type { FrameKind } from './kinds.ts';
import { haveCells, sheetsHtml } from './sheets.ts';

/** The document shown in the frame of a page. */
export interface Viewer {
  readonly kind: FrameKind;
  /** Of the file. */
  readonly name: string;
  /** The address of the content, including its ticket. Text, Markdown and documents are passed inline and have none. */
  readonly source?: string;
  /** For text, Markdown and documents; null if it is not text at all. */
  readonly text?: string | null;
  /** The number of bytes shown, if the text is cut. */
  readonly cutAt?: number | null;
  /** Whether the text of a document is cut. */
  readonly isCut?: boolean;
  /** The cells of a spreadsheet; null if they cannot be read. */
  readonly sheets?: Sheets | null;
  readonly assets: PageAssets;
}

/** A message in place of content. */
interface ViewerProblem {
  readonly problem: { readonly heading: string; readonly help: string };
  readonly name: string;
  readonly assets: PageAssets;
  readonly status: number;
}

/** The preview of one file: a document of its own, in which nothing of the file can run. */
export function viewerDocument(viewer: Viewer | ViewerProblem): string {
  const { assets } = viewer;
  const name = bidiIsolate(viewer.name);
  const { body, script = null } = 'problem' in viewer ? { body: sentence(viewer.problem) } : shown(viewer);
  const kind = 'problem' in viewer ? 'problem' : viewer.kind;
  return html`<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${name}</title>
${assets.loadInViewer('base', 'viewer')}
${script === null ? html`` : assets.loadInViewer(script)}
</head>
<body class="${kind}">
<header class="unseen"><h1>${name}</h1></header>
${body}
</body>
</html>
`.text;
}

/** Sends it, with a policy that lets it load what it shows and nothing else. Only our own pages may frame it. */
export function sendViewer(response: Response, viewer: Viewer | ViewerProblem): void {
  response.status('problem' in viewer ? viewer.status : 200).type('html');
  response.setHeader('Content-Security-Policy', policyOf(viewer, ownAddress(response.req)));
  response.setHeader('X-Frame-Options', 'SAMEORIGIN');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  // The header would concern an origin that the document does not have.
  response.removeHeader('Origin-Agent-Cluster');
  void sendBody(response, viewerDocument(viewer));
}

const STILL: ReadonlySet<FrameKind> = new Set(['picture', 'text', 'document', 'sheets']);

/**
 * The document has an opaque origin: its requests carry no cookies, and our files are named by their address. Content is on the
 * same host as the scripts, so scripts are limited to their folder, which no user's file can be in.
 */
function policyOf(viewer: Viewer | ViewerProblem, own: string): string {
  const { assets } = viewer;
  // A policy cannot contain an IPv6 address (CSP 3 §2.3.1).
  const at = (path: string) => (own.includes('[') ? "'self'" : `${own}${path}`);
  const { kind, source } = 'problem' in viewer ? {} : viewer;
  const content = source === undefined ? "'none'" : at(source.split('?', 1)[0] ?? '');
  const product = at(assets.viewerFolder);
  const needs: Record<FrameKind, string[]> = {
    picture: [`img-src ${content}`],
    video: [`media-src ${content}`],
    audio: [`media-src ${content}`],
    text: [],
    document: [],
    sheets: [],
    markdown: [`script-src ${product}`],
    // The decoders of scans are WebAssembly. A worker of a document with an opaque origin is created from a blob, and inherits
    // this policy.
    pdf: [
      `script-src ${product} 'wasm-unsafe-eval'`,
      'worker-src blob:',
      `connect-src ${content} ${product}`,
      `font-src ${product}`,
    ],
  };
  // Some browsers' media players are scripts themselves, so only still content forbids all scripts.
  const isStill = kind === undefined || STILL.has(kind);
  return [
    isStill ? 'sandbox' : 'sandbox allow-scripts',
    "default-src 'none'",
    `style-src ${product}`,
    ...(kind === undefined ? [] : needs[kind]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

function shown(viewer: Viewer): { body: Html; script?: ViewerEntry } {
  const { kind, source = '', text = null, cutAt = null, isCut = false } = viewer;
  const name = bidiIsolate(viewer.name);
  switch (kind) {
    case 'picture':
      return { body: html`<main><img src="${source}" alt="${name}" crossorigin="anonymous"></main>` };
    case 'video':
      return {
        body: html`<main><video src="${source}" controls preload="metadata" playsinline crossorigin="anonymous" aria-label="${name}"></video></main>`,
      };
    case 'audio':
      return {
        body: html`<main><span class="disc">${icon('music')}</span><audio src="${source}" controls preload="metadata" crossorigin="anonymous" aria-label="${name}"></audio></main>`,
      };
    case 'pdf':
      return {
        body: html`<main data-source="${source}" aria-busy="true"></main>
<noscript>${sentence(viewerNote('noScript'))}</noscript>`,
        script: 'pdf',
      };
    case 'document': {
      if (text === null || text === '') return { body: sentence(viewerNote('notText')) };
      const rest = isCut ? html` ${t('viewer.document.cut')}` : html``;
      return {
        body: html`<main><p class="help">${t('viewer.document.textOnly')}${rest}</p><div class="words">${text}</div></main>`,
      };
    }
    case 'sheets': {
      const { sheets = null } = viewer;
      if (sheets === null) return { body: sentence(viewerNote('notText')) };
      if (!haveCells(sheets)) return { body: sentence({ heading: t('viewer.empty'), help: '' }) };
      const { note, tables } = sheetsHtml(sheets);
      return {
        body: html`<main>${note}<div class="wide" tabindex="0" role="group" aria-label="${name}">${tables}</div></main>`,
      };
    }
    case 'text':
    case 'markdown': {
      if (text === null) return { body: sentence(viewerNote('notText')) };
      if (text === '') return { body: sentence({ heading: t('viewer.empty'), help: '' }) };
      const table = kind === 'text' ? csvTable(viewer.name, text, cutAt !== null) : null;
      if (table !== null) {
        // Wide tables scroll sideways, with the keyboard too.
        const { cells, note } = csvTableHtml(table);
        return {
          body: html`<main><div class="wide" tabindex="0" role="group" aria-label="${name}">${cells}</div>${note}</main>`,
        };
      }
      const rest = cutAt === null ? html`` : html`<p class="help">${t('viewer.cut', { size: humanSize(cutAt) })}</p>`;
      // HTML drops a line break right after the tag, so one is added.
      const body = html`<main><pre>
${text}</pre>${rest}</main>`;
      return kind === 'text' ? { body } : { body, script: 'markdown' };
    }
  }
}

/** Why nothing of a file is shown. */
export function viewerNote(
  reason: 'notText' | 'noScript' | 'missing' | 'signedOut' | 'failed',
): ViewerProblem['problem'] {
  return { heading: t(`viewer.${reason}.heading`), help: t(`viewer.${reason}.help`) };
}

function sentence({ heading, help }: ViewerProblem['problem']): Html {
  return html`<main class="sentence"><p class="strong">${heading}</p>${help === '' ? html`` : html`<p>${help}</p>`}</main>`;
}
