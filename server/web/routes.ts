import express, { type Request, type RequestHandler } from 'express';
import { ApiError } from '../http/errors.ts';
import { sandboxReply } from '../http/response/sandbox.ts';
import { once } from '../lib/async/once.ts';
import { programFile } from '../lib/program-files.ts';
import { type Html, html } from '../lib/text/html.ts';
import { t } from '../messages/messages.ts';
import type { CookiePagesParts } from './cookie-pages.ts';
import { installPages } from './install/routes.ts';
import { readClientFiles } from './shell/assets/client-files.ts';
import { fileIcons } from './shell/assets/file-icons.ts';
import { createPageAssets } from './shell/assets/page-assets.ts';
import { hashedFile, lookUp, productFile } from './shell/assets/static-assets.ts';
import { icon } from './shell/icons.ts';
import { cardPage } from './shell/layout.ts';
import type { TrustPagesParts } from './trust/routes.ts';
import { viewerFiles } from './viewer/assets.ts';

export interface Pages {
  /** The household's pages on HTTPS. */
  readonly household: RequestHandler;
}

const ASSETS = '/assets';

/** Rendered from the drawing by the build (web-client/app-icons.ts). */
const APP_ICONS = ['app-192', 'app-512', 'app-maskable-512', 'app-touch-180'].map((name) => `icons/${name}.png`);

const DRAWINGS = ['mark-light.svg', 'mark-dark.svg', 'app-icon.svg', 'world.svg'];

export function createPages({
  basePath,
  householdName,
  keepsPages,
  trust,
  flow,
}: {
  basePath: string;
  householdName: () => string;
  /** Whether browsers may keep a page for when the server cannot be reached. */
  keepsPages: () => boolean;
  /** The parts that the page "Add a device" uses. */
  trust: Omit<TrustPagesParts, 'basePath' | 'householdName' | 'assets'>;
  /** The parts that sign-in, consent and account pages use. */
  flow: Omit<CookiePagesParts, 'basePath' | 'householdName' | 'assets'>;
}): Pages {
  const assets = createPageAssets(`${basePath}${ASSETS}`);
  const page = (request: Request, title: string, card: Html, size: 'small' | 'wide' = 'small') =>
    cardPage({
      title,
      size,
      household: householdName(),
      assets,
      card,
      address: request.headers.host ?? '',
    });

  const household = express.Router({ caseSensitive: true });
  household.use(ASSETS, lookUp(once(async () => productFiles())));
  household.use('/icons', fileIcons());
  household.use(`${ASSETS}/viewer`, viewerFiles());
  household.get('/', (request, response) => {
    const card = html`<h1>${t('landing.heading', { household: householdName() })}</h1>
<p>${t('landing.lead')}</p>
<p><a class="button primary" href="${basePath}/files/">${icon('folder')}${t('landing.openFiles')}</a></p>
<h2>${t('landing.trust.heading')}</h2>
<p>${t('landing.trust.lead')}</p>
<p><a class="button" href="${basePath}/trust">${icon('devices')}${t('landing.trust.add')}</a></p>`;
    response
      .type('html')
      .setHeader('Cache-Control', 'no-store')
      .send(page(request, householdName(), card, 'wide'));
  });
  household.use(installPages({ basePath, assets, householdName, keepsPages }));
  // Loaded on first use, like the pages below: many sessions only serve apps.
  const devices = once(async () => {
    const { trustPages } = await import('./trust/routes.ts');
    return trustPages({ ...trust, basePath, householdName, assets });
  });
  household.use('/trust', async (request, response, next) => (await devices())(request, response, next));
  const people = once(async () => {
    const { cookiePages } = await import('./cookie-pages.ts');
    return cookiePages({ ...flow, basePath, householdName, assets });
  });
  household.use(async (request, response, next) => (await people())(request, response, next));
  household.use((request, response, next) => {
    const wantsPage = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
    if (!wantsPage) {
      sandboxReply(response);
      return next(new ApiError('unknown_endpoint', t('api.requests.unknownAddress')));
    }
    const card = html`<h1>${t('missing.heading')}</h1><p>${t('missing.lead')}</p><p><a href="${basePath}/">${t('missing.home')}</a></p>`;
    response
      .status(404)
      .type('html')
      .setHeader('Cache-Control', 'no-store')
      .send(page(request, t('missing.heading'), card));
  });

  return { household };
}

/** Scripts, styles and drawings that the pages load. */
function productFiles(): Map<string, RequestHandler> {
  const client = readClientFiles('');
  const drawing = (name: string) => programFile(`assets/${name}`);
  const icon = (file: string) => productFile({ file: client.path(file), type: 'image/png' });
  return new Map([
    ...APP_ICONS.map((name) => [`/${name}`, icon(name)] as const),
    ...client.names.map((name) => [`/${name}`, hashedFile(client.path(name))] as const),
    ...DRAWINGS.map((name) => [`/${name}`, productFile({ file: drawing(name), type: 'image/svg+xml' })] as const),
  ]);
}
