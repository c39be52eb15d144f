import { createHash } from 'node:crypto';
import express, { type Router } from 'express';
import { once } from '../../lib/async/once.ts';
import { html } from '../../lib/text/html.ts';
import { LOCALE } from '../../messages/catalogue.ts';
import { t } from '../../messages/messages.ts';
import { FILE_PAGES } from '../files/page-paths.ts';
import { readClientFiles } from '../shell/assets/client-files.ts';
import { icon, sprites } from '../shell/icons.ts';
import { cardPage } from '../shell/layout.ts';
import { DEVICE_CHANGED } from '../shell/own-device.ts';
import type { PageContext } from '../shell/page-context.ts';
import { RECEIVE, webManifest } from './manifest.ts';

interface InstallParts extends Pick<PageContext, 'basePath' | 'assets' | 'householdName'> {
  /** Whether browsers may keep the page for when the server cannot be reached. */
  readonly keepsPages: () => boolean;
}

/** The source of the worker, below `web-client/`. */
const WORKER = 'worker/worker.ts';
/** The script and the styles of its page. */
const PAGE = ['worker/unreachable.ts', 'worker/unreachable.css'] as const;
/** Below the file pages. Only the worker answers there: the server has nothing at this address. */
const LISTS = '/unreachable/lists';

/** Its script asks the worker only. */
const PAGE_POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src'].map((name) => `${name} 'self'`),
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Removes a worker that was registered, and what it has kept. */
const REMOVAL = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('larder-')) await caches.delete(name);
  await registration.unregister();
})()));
`;

/**
 * What makes the file pages an application on phones and computers: the manifest, the service worker, and the page that it shows
 * when the server cannot be reached. They are the same for everyone and reveal only the name of the household, as the sign-in does.
 */
export function installPages(parts: InstallParts): Router {
  const { basePath, assets, householdName, keepsPages } = parts;
  const base = `${basePath}/files`;
  const client = once(async () => {
    const files = readClientFiles('');
    const { script } = files.entry(WORKER);
    if (script === null) throw new Error('the worker is not built');
    const entries = ['styles/base.css', ...PAGE].map((source) => files.entry(source));
    const shown = entries.flatMap(({ styles, script: own, imports }) => [
      ...styles,
      ...imports,
      ...(own === null ? [] : [own]),
    ]);
    return { script: await files.text(script), shown: [...new Set(shown)] };
  });
  const router = express.Router({ caseSensitive: true });

  router.get('/files/app.webmanifest', (_request, response) => {
    response
      .type('application/manifest+json')
      .setHeader('Cache-Control', 'no-cache')
      .send(JSON.stringify(webManifest(householdName(), basePath, assets.base, keepsPages())));
  });

  // The worker keeps what other apps share on the device. What gets here has no worker, and is not read.
  router.post(`/files${RECEIVE}`, (_request, response) => {
    response.setHeader('Connection', 'close').redirect(303, `${base}/`);
  });

  router.get('/files/worker.js', async (_request, response) => {
    response.type('text/javascript').setHeader('Cache-Control', 'no-cache');
    // A worker has the policy of its script.
    response.setHeader('Content-Security-Policy', "default-src 'none'; connect-src 'self'");
    if (!keepsPages()) {
      response.send(REMOVAL);
      return;
    }
    const { script, shown } = await client();
    const shell = {
      page: `${base}/unreachable`,
      files: [...shown, 'mark-light.svg', 'mark-dark.svg', 'app-icon.svg'].map((name) => `${assets.base}/${name}`),
      pages: FILE_PAGES.map((path) => `${base}${path}`),
      receive: `${base}${RECEIVE}`,
      base,
      common: ['/app.webmanifest', '/unreachable', '/worker.js'].map((path) => `${base}${path}`),
      lists: `${base}${LISTS}`,
      device: `${basePath}${DEVICE_CHANGED}`,
    };
    const version = createHash('sha256').update(unreachablePage()).update(JSON.stringify(shell)).digest('hex');
    response.send(`const SHELL = ${JSON.stringify({ version: version.slice(0, 16), ...shell })};\n${script}`);
  });

  router.get('/files/unreachable', (_request, response) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').setHeader('Cache-Control', 'no-cache').send(unreachablePage());
  });

  function unreachablePage(): string {
    const household = householdName();
    const card = html`<h1>${t('install.unreachable.heading', { household })}</h1>
<p>${t('install.unreachable.lead')}</p>
<p>${t('install.unreachable.help')}</p>
<p><a class="button primary" href="">${icon('history')}${t('install.unreachable.again')}</a></p>`;
    // Filled by its script, if this device keeps lists.
    const below = html`<section class="last-seen" hidden data-base="${base}" data-lists="${base}${LISTS}" data-locale="${LOCALE}"></section>${sprites(['folder', 'fileText'])}`;
    const head = assets.load('unreachableStyles', 'unreachable');
    const title = t('install.unreachable.title');
    return cardPage({ title, size: 'wide', household, assets, card, below, head, address: '' });
  }

  return router;
}
