import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Plugin } from 'vite';

/** Where phones take the icon of an installed page from, below the built client: its drawing as pictures of fixed names. */
const APP_ICONS = {
  'icons/app-192.png': { size: 192, isWhole: false },
  'icons/app-512.png': { size: 512, isWhole: false },
  'icons/app-maskable-512.png': { size: 512, isWhole: true },
  'icons/app-touch-180.png': { size: 180, isWhole: true },
} as const;

/** Renders the icon of the application for the pages. @param drawing absolute path of the SVG */
export function appIcons(drawing: string): Plugin {
  return {
    name: 'app-icons',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      const svg = await readFile(drawing, 'utf8');
      for (const [fileName, { size, isWhole }] of Object.entries(APP_ICONS)) {
        const sized = svg.replace(/ width="\d+" height="\d+"/, ` width="${size}" height="${size}"`);
        const source = await sharp(Buffer.from(isWhole ? edgeToEdge(sized) : sized))
          .png({ compressionLevel: 9 })
          .toBuffer();
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}

/**
 * The same on a full square, which phones cut to their own shape. The drawing stays within the circle that every shape has (four
 * fifths of the width, https://www.w3.org/TR/appmanifest/#icon-masks).
 */
function edgeToEdge(svg: string): string {
  const square = '<rect x="-16" y="-16" width="160" height="160" fill="url(#g)"/>';
  const changed = svg
    .replace('viewBox="0 0 128 128"', 'viewBox="-12 -12 152 152"')
    .replace(/<rect x="4" y="4" width="120" height="120" rx="28" fill="url\(#g\)"\/>/, square);
  if (!changed.includes(square)) throw new Error('the drawing of the icon has no background to extend');
  return changed;
}
