import type { AccountRecord } from '../accounts/accounts.ts';
import { type AVATAR_COLOURS, avatarColour } from '../lib/text/avatar-colour.ts';
import { html } from '../lib/text/html.ts';

/** The avatar colours of the pages. */
const COLOURS: Record<(typeof AVATAR_COLOURS)[number], string> = {
  damson: '#5b2f63',
  slate: '#27507a',
  clay: '#743c15',
  bay: '#1f5a43',
};

/** The first letters of the names, as graphemes; of the user name if there are none. */
function initialsOf({ name, lastName, username }: Pick<AccountRecord, 'name' | 'lastName' | 'username'>): string {
  const initials = `${firstLetter(name)}${firstLetter(lastName)}`;
  return initials === '' ? firstLetter(username) : initials;
}

function firstLetter(name: string): string {
  const letter = [...new Intl.Segmenter().segment(name.trim())][0]?.segment ?? '';
  return letter.toUpperCase();
}

/** An SVG of 256 × 256: the initials of an account on its colour. It has no script, and loads nothing. */
export function initialsPicture(account: Pick<AccountRecord, 'id' | 'name' | 'lastName' | 'username'>): Buffer {
  const drawing = html`<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256"><rect width="256" height="256" fill="${COLOURS[avatarColour(account.id)]}"/><text x="128" y="128" dy="0.35em" fill="#fff" font-family="sans-serif" font-size="104" text-anchor="middle">${initialsOf(account).replace(/[^\P{C}\u200d]/gu, '')}</text></svg>`;
  return Buffer.from(drawing.text);
}
