import { DAY } from '../../../lib/clock.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t, tHtml } from '../../../messages/messages.ts';
import type { AppPassword } from '../../../oauth/app-passwords.ts';
import { when } from '../../shell/relative-time.ts';

/** "Not used for 6 months". */
const LONG_UNUSED = 182 * DAY;

/** When and from where an app password was used last. @param now milliseconds since the epoch */
export function useOf({ lastUsed, createdAt }: Pick<AppPassword, 'lastUsed' | 'createdAt'>, now: number): Html {
  if (now - (lastUsed?.at ?? createdAt) >= LONG_UNUSED) {
    return html`<strong class="care-text">${t('programs.list.unused')}</strong>`;
  }
  if (lastUsed === null) return html`${t('programs.list.neverUsed')}`;
  return tHtml('programs.list.used', { when: when(lastUsed.at, now), address: lastUsed.address });
}
