import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import type { AppPassword } from '../../../oauth/app-passwords.ts';
import { useOf } from './last-use.ts';
import { knownName } from './programs.ts';

/** What a form that changes the password of an account shows of its app passwords. */
export interface KeptPasswords {
  readonly passwords: readonly AppPassword[];
  /** The ids that are selected. */
  readonly kept: readonly number[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const PREFIX = 'keep_app_password_';

/** A tick for each app password that can stay. None is selected at first: someone else may have created one of them. */
export function keptPasswordsFields({ passwords, kept, now }: KeptPasswords): Html {
  // Those of apps end with the authorizations of the apps.
  const own = passwords.filter(({ app }) => app === null);
  if (passwords.length === 0) return html``;
  if (own.length === 0) return html`<p class="help">${t('programs.keep.none')}</p>`;
  const ticks = own.map((one) => {
    const id = `${PREFIX}${one.id}`;
    const facts = [...knownName(one.program).map((name) => html`${name}`), useOf(one, now)];
    return html`<div class="check"><input type="checkbox" id="${id}" name="${id}" value="1"${kept.includes(one.id) ? html` checked` : html``} aria-describedby="${id}-help"><label for="${id}">${one.label}</label><p class="help" id="${id}-help">${facts.map((fact, index) => (index === 0 ? fact : html` · ${fact}`))}</p></div>`;
  });
  return html`<fieldset class="kept" aria-describedby="kept-help"><legend>${t('programs.keep.legend')}</legend><p class="help" id="kept-help">${t('programs.keep.help')}</p>${ticks}</fieldset>`;
}

/** The ids that are selected in such a form. */
export function keptPasswordsIn(fields: Readonly<Record<string, string>>): number[] {
  return Object.entries(fields)
    .filter(([name, value]) => name.startsWith(PREFIX) && value === '1')
    .map(([name]) => Number(name.slice(PREFIX.length)))
    .filter((id) => Number.isSafeInteger(id) && id > 0);
}
