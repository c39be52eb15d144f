import { IntlMessageFormat } from 'intl-messageformat';
import type { MessageArguments } from './message-arguments.ts';

/** ICU messages by key. Keys are flat, with dots: `files.counts`. */
export type Catalogue = Readonly<Record<string, string>>;

/** The arguments behind the key of a message: none, or an object. */
export type ArgumentsOf<Message extends string> = keyof MessageArguments<Message> extends never
  ? []
  : [values: MessageArguments<Message>];

/** A text in the language of the household. */
export type Messages<Texts extends Catalogue> = <Key extends keyof Texts & string>(
  key: Key,
  ...values: ArgumentsOf<Texts[Key]>
) => string;

/** Characters that mean something in a message; without them it is its own text. */
const SYNTAX = /[{}#<']/;

/**
 * Messages are parsed when they are first asked for.
 * @param catalogue written `as const`, so that keys and arguments are checked where they are used
 */
export function createMessages<const Texts extends Catalogue>(catalogue: Texts, locale = 'en-GB'): Messages<Texts> {
  const parsed = new Map<string, IntlMessageFormat>();
  return (key, ...[values]) => {
    const text = catalogue[key];
    if (text === undefined) throw new Error(`there is no message ${key}`);
    if (!SYNTAX.test(text)) return text;
    let message = parsed.get(key);
    if (message === undefined) {
      message = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });
      parsed.set(key, message);
    }
    return String(message.format(values));
  };
}
