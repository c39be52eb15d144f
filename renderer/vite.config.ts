import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { t } from '../dist/renderer-modules/messages/messages.js';

/** A package in the folder of packages nearest to a file. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * Writes `licences.json` beside the panel: name, version and licence of every bundled package. They are not installed where it
 * runs, and the bundle no longer shows its packages.
 */
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle() {
      const ids = [...this.getModuleIds()].map((id) => id.replaceAll('\\', '/').replace('\0', ''));
      const folders = new Set(ids.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []));
      const packages = [...folders].flatMap(packageIn).sort((a, b) => a.name.localeCompare(b.name, 'en'));
      this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify(packages) });
    },
  };
}

/** Inserts texts of the catalogue into the page itself. */
function pageTexts(): Plugin {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return {
    name: 'page-texts',
    transformIndexHtml: (html) =>
      html
        .replace('__NO_SCRIPT_HEADING__', escaped(t('noScript.heading')))
        .replace('__NO_SCRIPT_HELP__', escaped(t('noScript.help'))),
  };
}

function packageIn(folder: string) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return name === undefined ? [] : [{ name, version, licence: license ?? '', text }];
}

/**
 * The panel as static files for any server, at its root or below: the window under `app://larder/`, the server on loopback and,
 * for browsers on the network, below `/panel/`. The policy of the page allows no inline scripts or `data:` addresses.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  publicDir: false,
  plugins: [react(), licences(), pageTexts()],
  build: {
    outDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The logo is inlined, because it may be needed in the other colours while the server is unavailable.
    assetsInlineLimit: (file) => /[\\/]mark-(?:dark|light)\.svg$/.test(file),
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_500,
  },
});
