import { once } from '../../lib/async/once.ts';
import { Html, html } from '../../lib/text/html.ts';

// Loaded on first use: many sessions never need it.
const qrcode = once(() => import('qrcode'));

/**
 * An inline SVG: as a separate file its address would expose the secret it holds.
 * @param label for screen readers
 */
export async function qrCode(text: string, label: string): Promise<Html> {
  const drawing = await (await qrcode()).toString(text, { type: 'svg', margin: 3, errorCorrectionLevel: 'M' });
  const attributes = html`class="qr" role="img" aria-label="${label}" width="216" height="216" `;
  return new Html(drawing.replace('<svg ', () => `<svg ${attributes.text}`).trim());
}
