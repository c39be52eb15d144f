import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { icon } from './icons.ts';

/** The search in the bar of a page. */
export interface SearchField {
  /** What the page shows the results of; without it, the page is not one of results. */
  readonly words?: string;
  /** Further fields of the address: the filters. */
  readonly fields?: Readonly<Record<string, string | number | null>>;
}

/** The search over everything, on every page of a signed-in person. On a phone, other pages show only a link to it. */
export function searchField(basePath: string, { words, fields = {} }: SearchField): Html {
  const action = `${basePath}/files/search`;
  const hidden = Object.entries(fields).map(([name, value]) =>
    value === null ? html`` : html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="search${words === undefined ? '' : ' open'}" role="search" method="get" action="${action}">${hidden}${icon('search')}<input type="search" name="q" value="${words ?? ''}" aria-label="${t('search.label')}" placeholder="${t('search.placeholder')}" maxlength="200" autocomplete="off" enterkeyhint="search" required><button class="unseen">${t('search.label')}</button></form>
<a class="to-search" href="${action}" aria-label="${t('search.open')}">${icon('search')}</a>`;
}
