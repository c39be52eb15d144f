import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

// Renders all icons of the desktop application from two drawings. It runs before packages are built, and is not part of them:
// node dist/main/packaging/make-icons.js [folder]

const DRAWINGS = new URL('../../../assets/', import.meta.url);
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];

type State = 'running' | 'paused' | 'attention' | 'stopped';
/** Icons for a bar: dark lines on a light one, or light lines on a dark one. */
type Look = 'dark-on-light' | 'light-on-dark';

const STATES: readonly State[] = ['running', 'paused', 'attention', 'stopped'];
/** Colours of the lines, and of the dots for `care` and `danger`, in light and dark. */
const COLOURS: Record<Look, { readonly line: string; readonly attention: string; readonly stopped: string }> = {
  'dark-on-light': { line: '#1C211D', attention: '#BF830E', stopped: '#9C231C' },
  'light-on-dark': { line: '#ECEEE8', attention: '#E0A93F', stopped: '#F4998F' },
};
/** The system colours a template image itself, by its opaque pixels. */
const TEMPLATE = { line: '#000', attention: '#000', stopped: '#000' };

/** In the corner of the 16 × 16 drawing, with a gap to the lines behind it. */
const DOT = { x: 12.75, y: 12.75, radius: 3.25, gap: 1.25 };

await makeIcons(process.argv[2] ?? fileURLToPath(new URL('../../icons/', import.meta.url)));

/** @param into a folder, whose content is replaced */
async function makeIcons(into: string): Promise<void> {
  await rm(into, { recursive: true, force: true });
  await Promise.all(['linux', 'tray'].map((name) => mkdir(join(into, name), { recursive: true })));
  const app = await readFile(new URL('app-icon.svg', DRAWINGS), 'utf8');
  await draw(app, 1024, join(into, 'mac.png'));
  await draw(withoutMargin(app), 512, join(into, 'windows.png'));
  for (const size of LINUX_SIZES) await draw(app, size, join(into, 'linux', `${size}x${size}.png`));
  const tray = await readFile(new URL('tray.svg', DRAWINGS), 'utf8');
  for (const state of STATES) {
    for (const look of ['dark-on-light', 'light-on-dark'] as const) {
      await drawTray(trayIcon(tray, state, COLOURS[look]), join(into, 'tray', `${state}-${look}`));
    }
    await drawTray(templateIcon(tray, state), join(into, 'tray', `${state}Template`));
  }
}

/** The rounded square without a margin: Windows adds none around icons, and ours would be smaller than others. */
function withoutMargin(svg: string): string {
  return replaced(svg, 'viewBox="0 0 128 128"', 'viewBox="4 4 120 120"');
}

function trayIcon(svg: string, state: State, colours: (typeof COLOURS)[Look]): string {
  const lines = svg.replaceAll('#000', colours.line);
  if (state === 'running') return lines;
  if (state === 'paused') return grouped(lines, 'opacity=".45"');
  return withDot(lines, `<circle cx="${DOT.x}" cy="${DOT.y}" r="${DOT.radius}" fill="${colours[state]}"/>`);
}

/**
 * Template images have no colours, so shapes distinguish the states: a full dot asks for attention, an empty one means stopped.
 */
function templateIcon(svg: string, state: State): string {
  if (state !== 'stopped') return trayIcon(svg, state, TEMPLATE);
  const width = 1.5;
  const radius = DOT.radius - width / 2;
  return withDot(
    svg,
    `<circle cx="${DOT.x}" cy="${DOT.y}" r="${radius}" fill="none" stroke="#000" stroke-width="${width}"/>`,
  );
}

function withDot(svg: string, dot: string): string {
  const gap = `<circle cx="${DOT.x}" cy="${DOT.y}" r="${DOT.radius + DOT.gap}" fill="#000"/>`;
  const mask = `<mask id="m" maskUnits="userSpaceOnUse"><path fill="#fff" d="M0 0h16v16H0z"/>${gap}</mask>`;
  return replaced(grouped(svg, 'mask="url(#m)"'), '</svg>', `${dot}</svg>`).replace('<g ', `${mask}<g `);
}

function grouped(svg: string, attributes: string): string {
  return replaced(svg.replace(/<svg [^>]*>/, `$&<g ${attributes}>`), '</svg>', '</g></svg>');
}

function replaced(svg: string, text: string, by: string): string {
  if (!svg.includes(text)) throw new Error(`the drawing has no ${text}`);
  return svg.replace(text, by);
}

/** For one and two pixels per point, distinguished by name. */
async function drawTray(svg: string, path: string): Promise<void> {
  await draw(svg, 16, `${path}.png`);
  await draw(svg, 32, `${path}@2x.png`);
}

/** Rendered at its size instead of scaled down, so that lines stay sharp. */
async function draw(svg: string, size: number, file: string): Promise<void> {
  const sized = svg.replace(/ width="\d+" height="\d+"/, ` width="${size}" height="${size}"`);
  const { data, info } = await sharp(Buffer.from(sized)).png().toBuffer({ resolveWithObject: true });
  if (info.width !== size || info.height !== size) throw new Error(`${file} is ${info.width} × ${info.height}`);
  await writeFile(file, data);
}
