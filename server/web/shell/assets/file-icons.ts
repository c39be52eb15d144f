import express, { type RequestHandler } from 'express';
import { type FileType, fileTypes } from '../../../lib/names/file-types.ts';
import { programFile } from '../../../lib/program-files.ts';
import { productTile } from './static-assets.ts';

const HEADERS = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=86400',
  // Pages of apps show them too; the drawing contains the colours for light and dark.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
} as const;

/** `/<type>.svg` for the `icon` of a listing, and `/tile/<type>.svg` in place of a thumbnail. */
export function fileIcons(): RequestHandler {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const type of fileTypes) {
    const file = fileOf(type);
    router.get(`/${type}.svg`, (_request, response) => {
      response.set(HEADERS).sendFile(file, { cacheControl: false });
    });
    const tile = productTile(file);
    router.get(`/tile/${type}.svg`, (request, response, next) => {
      response.set(HEADERS);
      return tile(request, response, next);
    });
  }
  return router;
}

function fileOf(type: FileType): string {
  return programFile(`assets/file-icons/${type}.svg`);
}
