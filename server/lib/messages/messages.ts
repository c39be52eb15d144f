import { IntlMessageFormat, type PrimitiveType } from 'intl-messageformat';
import type { MessageArguments } from './message-arguments.ts';

/** ICU messages by key. Keys are flat, with dots: `files.counts`. */
export type Catalogue = Readonly<Record<string, string>>;

/** The arguments after the key of a message: none, or an object. */
type ArgumentsOf<Message extends string> = keyof MessageArguments<Message> extends never
  ? []
  : [values: MessageArguments<Message>];

/** A text in the language of the household. */
export type Messages<Texts extends Catalogue> = <Key extends keyof Texts & string>(
  key: Key,
  ...values: ArgumentsOf<Texts[Key]>
) => string;

/** A text with parts that are not text, such as HTML elements. */
type RichMessages<Texts extends Catalogue, Part> = <Key extends keyof Texts & string>(
  key: Key,
  values: RichArguments<Texts[Key], Part>,
) => readonly (string | Part)[];

/** Where a message shows a plain value, it may be a part. */
export type RichArguments<Message extends string, Part> = {
  readonly [Name in keyof MessageArguments<Message>]:
    | MessageArguments<Message>[Name]
    | (string extends MessageArguments<Message>[Name]
        ? number extends MessageArguments<Message>[Name]
          ? Part
          : never
        : never);
};

/** Characters with a meaning in messages; without them a message is its own text. */
const SYNTAX = /[{}#<']/;

/**
 * Messages are parsed on first use.
 * @param catalogue written `as const`, so that keys and arguments are checked where they are used
 */
export function createMessages<const Texts extends Catalogue>(catalogue: Texts, locale = 'en-GB'): Messages<Texts> {
  const messageOf = parsedOnce(catalogue, locale);
  return (key, ...[values]) => {
    const message = messageOf(key);
    return typeof message === 'string' ? message : String(message.format(values));
  };
}

/** Like `createMessages`, for messages with parts that are not text. The parts are in the order of the message. */
export function createRichMessages<Part extends object>() {
  return <const Texts extends Catalogue>(catalogue: Texts, locale = 'en-GB'): RichMessages<Texts, Part> => {
    const messageOf = parsedOnce(catalogue, locale);
    return (key, values) => {
      const message = messageOf(key);
      if (typeof message === 'string') return [message];
      return message
        .formatToParts<Part>(values as Record<string, Part | PrimitiveType>)
        .map(({ value }) => value as string | Part);
    };
  };
}

/** @returns the text itself for a message without arguments */
function parsedOnce(catalogue: Catalogue, locale: string): (key: string) => string | IntlMessageFormat {
  const parsed = new Map<string, IntlMessageFormat>();
  return (key) => {
    const text = catalogue[key];
    if (text === undefined) throw new Error(`there is no message ${key}`);
    if (!SYNTAX.test(text)) return text;
    let message = parsed.get(key);
    if (message === undefined) {
      message = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });
      parsed.set(key, message);
    }
    return message;
  };
}
