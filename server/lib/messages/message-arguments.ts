// The arguments of an ICU message, as types: missing or surplus ones do not compile. Syntax:
// https://unicode-org.github.io/icu/userguide/format_parse/messages/. Quoting with apostrophes is not supported here; messages
// use the typographic apostrophe and need none.

/** The scanner's mode: in a text, or between the branches of a plural or select argument. */
type Mode = 'text' | 'branches';

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `\n${infer Rest}`
  ? Trim<Rest>
  : Text extends `${infer Rest} ` | `${infer Rest}\n`
    ? Trim<Rest>
    : Text;

/** The text before the first of both characters, that character, and the rest. */
type Split<
  Text extends string,
  One extends string,
  Other extends string,
> = Text extends `${infer Before}${One}${infer After}`
  ? Before extends `${infer Earlier}${Other}${infer Between}`
    ? [Earlier, Other, `${Between}${One}${After}`]
    : [Before, One, After]
  : Text extends `${infer Before}${Other}${infer After}`
    ? [Before, Other, After]
    : null;

type Formatted = { plural: number; selectordinal: number; number: number; date: Date; time: Date; select: string };

type TypeOf<Format extends string> = Format extends keyof Formatted ? Formatted[Format] : never;

type Scan<Text extends string, Stack extends Mode[], Found> =
  Split<Text, '{', '}'> extends [string, infer Brace, infer Rest extends string]
    ? Brace extends '}'
      ? Stack extends [Mode, ...infer Outer extends Mode[]]
        ? Scan<Rest, Outer, Found>
        : never
      : Stack extends ['branches', ...Mode[]]
        ? Scan<Rest, ['text', ...Stack], Found>
        : Argument<Rest, Stack, Found>
    : Found;

/** The text after a brace that opens an argument. */
type Argument<Text extends string, Stack extends Mode[], Found> =
  Split<Text, ',', '}'> extends [infer Name extends string, infer End, infer Rest extends string]
    ? End extends '}'
      ? Scan<Rest, Stack, Found | [Trim<Name>, string | number]>
      : Split<Rest, ',', '}'> extends [infer Format extends string, infer FormatEnd, infer Behind extends string]
        ? Trim<Format> extends 'plural' | 'select' | 'selectordinal'
          ? Scan<Behind, ['branches', ...Stack], Found | [Trim<Name>, TypeOf<Trim<Format>>]>
          : FormatEnd extends '}'
            ? Scan<Behind, Stack, Found | [Trim<Name>, TypeOf<Trim<Format>>]>
            : Behind extends `${string}}${infer AfterStyle}`
              ? Scan<AfterStyle, Stack, Found | [Trim<Name>, TypeOf<Trim<Format>>]>
              : never
        : never
    : never;

/** The arguments of several messages together. */
type Entries<Message extends string> = Message extends unknown ? Scan<Message, [], never> : never;

/**
 * An object with a value for each argument of a message, or of all messages of a union. Arguments that are used twice have one
 * type.
 */
export type MessageArguments<Message extends string> = {
  readonly [Name in Extract<Entries<Message>, [string, unknown]>[0]]: ArgumentType<Entries<Message>, Name>;
};

/** A name that is used both as a plural and as text accepts what both accept. */
type ArgumentType<All, Name> = (
  All extends [infer Found, infer Value]
    ? Found extends Name
      ? (value: Value) => void
      : never
    : never
) extends (value: infer Value) => void
  ? Value
  : never;
