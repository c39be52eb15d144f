import { createMessages, createRichMessages, type RichArguments } from '../lib/messages/messages.ts';
import { isolateValues } from '../lib/text/bidi-isolate.ts';
import { Html, html } from '../lib/text/html.ts';
import { catalogue, LOCALE, type MessageKey } from './catalogue.ts';

export type { MessageKey } from './catalogue.ts';

const texts = createMessages(catalogue, LOCALE);

/**
 * A text of the catalogue, in the language of the household. Names among the values are for display only. Terminals get them as
 * they are: paths are copied from there, and the command line shows no files of others.
 */
export const t: typeof texts = (key, ...values) =>
  values[0] === undefined || key.startsWith('cli.')
    ? texts(key, ...values)
    : texts(key, ...([isolateValues(values[0])] as unknown as typeof values));

const parts = createRichMessages<Html>()(catalogue, LOCALE);

/** The same as markup, for texts with elements among their values. All other values are escaped. */
export function tHtml<Key extends MessageKey>(key: Key, values: RichArguments<(typeof catalogue)[Key], Html>): Html {
  return html`${parts(key, isolateValues(values)).map((part) => (part instanceof Html ? part : html`${part}`))}`;
}

const listFormat = new Intl.ListFormat(LOCALE, { type: 'unit' });

/** Several facts as a list: "2 folders, 3 files". Empty ones are left out. */
export function listOf(facts: readonly string[]): string {
  return listFormat.format(facts.filter((fact) => fact !== ''));
}
