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

/** A text whose values may be something else than text, such as markup: in parts, with the values as they are. */
export type MessageParts<Texts extends Catalogue> = <Key extends keyof Texts & string, Part>(
  key: Key,
  values: {
    readonly [Name in keyof MessageArguments<Texts[Key]>]: MessageArguments<Texts[Key]>[Name] | Part;
  },
) => readonly (string | Part)[];

/**
 * Messages are parsed when they are first asked for.
 * @param catalogue written `as const`, so that keys and arguments are checked where they are used
 */
export function createMessages<const Texts extends Catalogue>(catalogue: Texts, locale = 'en-GB'): Messages<Texts> {
  const parsed = createParser(catalogue, locale);
  return (key, ...[values]) => {
    const text = textOf(catalogue, key);
    return SYNTAX.test(text) ? String(parsed(key).format(values)) : text;
  };
}

/** For messages with markup or elements among their values. @param catalogue as above */
export function createMessageParts<const Texts extends Catalogue>(
  catalogue: Texts,
  locale = 'en-GB',
): MessageParts<Texts> {
  const parsed = createParser(catalogue, locale);
  return <Key extends keyof Texts & string, Part>(key: Key, values: object) =>
    [parsed(key).format<Part>(values as Record<string, Part>)].flat() as (string | Part)[];
}

function createParser(catalogue: Catalogue, locale: string): (key: string) => IntlMessageFormat {
  const parsed = new Map<string, IntlMessageFormat>();
  return (key) => {
    const known = parsed.get(key);
    if (known !== undefined) return known;
    const message = new IntlMessageFormat(textOf(catalogue, key), locale, undefined, { ignoreTag: true });
    parsed.set(key, message);
    return message;
  };
}

function textOf(catalogue: Catalogue, key: string): string {
  const text = catalogue[key];
  if (text === undefined) throw new Error(`there is no message ${key}`);
  return text;
}
