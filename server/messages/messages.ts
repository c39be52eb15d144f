import { createMessages, createRichMessages, type RichArguments } from '../lib/messages/messages.ts';
import { Html, html } from '../lib/text/html.ts';
import { catalogue, LOCALE, type MessageKey } from './catalogue.ts';

/** A text of the catalogue, in the language of the household. */
export const t = createMessages(catalogue, LOCALE);

const parts = createRichMessages<Html>()(catalogue, LOCALE);

/** The same as markup, for texts with elements among their values. All other values are escaped. */
export function tHtml<Key extends MessageKey>(key: Key, values: RichArguments<(typeof catalogue)[Key], Html>): Html {
  return html`${parts(key, values).map((part) => (part instanceof Html ? part : html`${part}`))}`;
}

const listFormat = new Intl.ListFormat(LOCALE, { type: 'unit' });

/** Several facts as a list: "2 folders, 3 files". Empty ones are left out. */
export function listOf(facts: readonly string[]): string {
  return listFormat.format(facts.filter((fact) => fact !== ''));
}
