import { once } from '../../lib/async/once.ts';
import { Html, html } from '../../lib/text/html.ts';

// Loaded for the first one: many starts do without.
const qrcode = once(() => import('qrcode'));

/**
 * A drawing inside of the page: as a file of its own it would have an address, and what it holds is a secret.
 * @param label what it is, for who does not see it
 */
export async function qrCode(text: string, label: string): Promise<Html> {
  const drawing = await (await qrcode()).toString(text, { type: 'svg', margin: 3, errorCorrectionLevel: 'M' });
  const attributes = html`class="qr" role="img" aria-label="${label}" width="216" height="216" `;
  return new Html(drawing.replace('<svg ', () => `<svg ${attributes.text}`).trim());
}
