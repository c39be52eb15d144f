import type { AccountRecord } from '../../accounts/accounts.ts';
import { avatarColour } from '../../lib/text/avatar-colour.ts';
import { type Html, html } from '../../lib/text/html.ts';

/** The first letter of a name, as a grapheme. */
export function initialOf(name: string): string {
  return [...new Intl.Segmenter().segment(name.trim())][0]?.segment.toUpperCase() ?? '';
}

/** A person as a circle: the picture, or the first letter of the name, which is shown beside it. @param isOther not who is signed in */
export function avatar({
  account,
  basePath,
  size,
  isOther = false,
}: {
  account: AccountRecord;
  basePath: string;
  size: 'small' | 'large';
  isOther?: boolean;
}): Html {
  if (account.pictureHash !== null) {
    const pixels = size === 'small' ? 36 : 64;
    const of = isOther ? `of=${account.id}&` : '';
    const address = `${basePath}/account/picture?${of}v=${account.pictureHash.slice(0, 16)}`;
    return html`<img class="avatar ${size}" src="${address}" width="${pixels}" height="${pixels}" alt="">`;
  }
  return html`<span class="avatar ${size} ${avatarColour(account.id)}" aria-hidden="true">${initialOf(account.name)}</span>`;
}
