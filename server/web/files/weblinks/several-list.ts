import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { listOf, t } from '../../../messages/messages.ts';
import type { GoneLink } from '../../../weblinks/gone-links.ts';
import { linkDetails } from '../../../weblinks/link-details.ts';
import type { LinkToSeveral } from '../../../weblinks/link-to-several.ts';
import { hidden } from '../../shell/form-fields.ts';
import { sprite } from '../../shell/icons.ts';
import type { FilesLinks } from '../addresses.ts';
import { NO_ADDRESS } from '../context.ts';
import { stateOf } from './state.ts';

/** Names of items that a row shows. */
const SHOWN_NAMES = 3;

/** The caller's links to several items, above the items with links of their own. */
export function severalList(links: FilesLinks, several: readonly LinkToSeveral[], now: number): Html {
  if (several.length === 0) return html``;
  return html`<section class="group links-to-several" aria-labelledby="several"><div class="group-head"><h2 id="several">${t('weblinks.several.links')}</h2></div><ul>${several.map(
    (one) => row(links, one, now),
  )}</ul></section>`;
}

/** The caller's links that open nothing, with the reason and a button that removes them. */
export function goneList(links: FilesLinks, gone: readonly GoneLink[], formToken: string): Html {
  if (gone.length === 0) return html``;
  return html`<section class="group links-to-several" aria-labelledby="gone"><div class="group-head"><h2 id="gone">${t('weblinks.gone.heading')}</h2></div><ul>${gone.map(
    ({ number, name, why }) => {
      const shown = name === null ? t('weblinks.gone.shared') : bidiIsolate(name);
      const fields = hidden({ form_token: formToken, number: String(number) });
      return html`<li class="gone-link">${sprite('alert')}<span><span class="name">${shown}</span><span class="sub">${t(`weblinks.gone.${why}`)}</span></span><form method="post" action="${links.base}/link/gone">${fields}<button aria-label="${t('weblinks.gone.removeOf', { name: shown })}">${t('weblinks.gone.remove')}</button></form></li>`;
    },
  )}</ul></section>`;
}

function row(links: FilesLinks, { link, items, album }: LinkToSeveral, now: number): Html {
  const names = items.slice(0, SHOWN_NAMES).map(({ name }) => bidiIsolate(name));
  const further = items.length - names.length;
  const listed = listOf([...names, ...(further > 0 ? [t('weblinks.several.more', { count: further })] : [])]);
  const what = album === null ? listed : t('weblinks.album.link', { title: bidiIsolate(album) });
  const state =
    items.length === 0
      ? t(album === null ? 'weblinks.several.none' : 'weblinks.album.none')
      : stateOf(linkDetails(link, NO_ADDRESS), now).join(' · ');
  return html`<li><a href="${links.base}/link/several?number=${link.number}" data-do="link-several">${sprite('link')}<span><span class="name">${items.length === 0 && album === null ? t('weblinks.several.link') : what}</span><span class="sub">${state}</span></span></a></li>`;
}
