import express, { type Request, type RequestHandler } from 'express';
import { ApiError } from '../http/errors.ts';
import { once } from '../lib/async/once.ts';
import { extensionsByType } from '../lib/names/file-types.ts';
import { programFile } from '../lib/program-files.ts';
import { type Html, html } from '../lib/text/html.ts';
import type { WebFlowParts } from './auth/web-flow.ts';
import { filesScriptTexts } from './files/texts.ts';
import { linkScriptTexts } from './public-links/texts.ts';
import { fileIcons } from './shell/file-icons.ts';
import { icon } from './shell/icons.ts';
import { cardPage } from './shell/layout.ts';
import { productFile, productScript } from './shell/static-assets.ts';
import { texts } from './shell/texts.ts';
import { viewerFiles } from './viewer/assets.ts';

export interface Pages {
  /** The household's pages on HTTPS. */
  readonly household: RequestHandler;
}

const ASSETS = '/assets';

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const ASSET_FILES: [name: string, file: string, type: string][] = [
  ...[
    'pages.css',
    'account.css',
    'files.css',
    'files-share.css',
    'files-link.css',
    'comments.css',
    'details.css',
    'link.css',
  ].map((name): [string, string, string] => [name, `pages/${name}`, CSS]),
  ...[
    'files.js',
    'files-common.js',
    'files-list.js',
    'files-actions.js',
    'files-overlays.js',
    'files-upload.js',
    'files-queue.js',
    'files-send.js',
    'files-dropped.js',
    'files-sheet.js',
    'files-share.js',
    'files-link.js',
    'files-comments.js',
    'link.js',
    'link-send.js',
    'link-queue.js',
    'link-keys.js',
    'elements.js',
    'words.js',
    'requests.js',
    'sending.js',
  ].map((name): [string, string, string] => [name, `pages/${name}`, SCRIPT]),
  ['mark-light.svg', 'mark-light.svg', 'image/svg+xml'],
  ['mark-dark.svg', 'mark-dark.svg', 'image/svg+xml'],
  ['app-icon.svg', 'app-icon.svg', 'image/svg+xml'],
];

export function createPages({
  basePath,
  householdName,
  authorityFingerprint,
  flow,
}: {
  basePath: string;
  householdName: () => string;
  authorityFingerprint: () => string;
  /** What sign-in, consent and the account work with. */
  flow: Omit<WebFlowParts, 'basePath' | 'householdName' | 'assets'>;
}): Pages {
  const assets = new Map(
    ASSET_FILES.map(([name, file, type]) => [`${ASSETS}/${name}`, { file: programFile(`assets/${file}`), type }]),
  );
  const page = (request: Request, title: string, card: Html, size: 'small' | 'wide' = 'small') =>
    cardPage({
      title,
      size,
      household: householdName(),
      assets: `${basePath}${ASSETS}`,
      card,
      address: request.headers.host ?? '',
    });

  const household = express.Router({ caseSensitive: true });
  for (const [address, asset] of assets) {
    household.get(address, productFile(asset));
  }
  household.get(
    `${ASSETS}/files-texts.js`,
    productScript(`export const texts = ${JSON.stringify(filesScriptTexts)};\n`),
  );
  household.get(`${ASSETS}/link-texts.js`, productScript(`export const texts = ${JSON.stringify(linkScriptTexts)};\n`));
  household.get(
    `${ASSETS}/file-types.js`,
    productScript(`export const extensions = ${JSON.stringify(extensionsByType())};\n`),
  );
  household.use('/icons', fileIcons());
  household.use(`${ASSETS}/viewer`, viewerFiles());
  household.get('/', (request, response) => {
    const { landing } = texts;
    const fingerprint = authorityFingerprint();
    const card = html`<h1>${landing.heading(householdName())}</h1>
<p>${landing.lead}</p>
<p><a class="button primary" href="${basePath}/files/">${icon('folder')}${landing.files}</a></p>
<h2>${landing.trustHeading}</h2>
<p>${landing.trust}</p>
<p><a class="button" href="${basePath}/ca.crt">${icon('download')}${landing.certificate}</a></p>
<p class="help">${landing.compare}</p>
<h3>${landing.fingerprint}</h3>
<p class="mono">${grouped(fingerprint)}</p>`;
    response
      .type('html')
      .setHeader('Cache-Control', 'no-store')
      .send(page(request, landing.title(householdName()), card, 'wide'));
  });
  // Loaded for the first person who comes: most starts are for apps, which do without.
  const people = once(async () => {
    const { webFlow } = await import('./auth/web-flow.ts');
    return webFlow({ ...flow, basePath, householdName, assets: `${basePath}${ASSETS}` });
  });
  household.use(async (request, response, next) => (await people())(request, response, next));
  household.use((request, response, next) => {
    const wantsPage = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
    if (!wantsPage) return next(new ApiError('unknown_endpoint', 'There is nothing at this address.'));
    const { missing } = texts;
    const card = html`<h1>${missing.heading}</h1><p>${missing.lead}</p><p><a href="${basePath}/">${missing.home}</a></p>`;
    response
      .status(404)
      .type('html')
      .setHeader('Cache-Control', 'no-store')
      .send(page(request, missing.title, card));
  });

  return { household };
}

/** In chunks of eight pairs, so that lines break where the eye can rest. */
function grouped(fingerprint: string): Html[] {
  return (fingerprint.match(/(?:[^:]+:?){1,8}/g) ?? []).map((chunk) => html`<span>${chunk}</span>`);
}
