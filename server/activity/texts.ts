/** Characters of a text that are stored. */
const MAX_TEXT = 1_000;
const MAX_ITEMS = 50;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/g;
/** Control characters without a symbol, and those that change the writing direction. */
const UNSEEN = /[\u0080-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A text as stored in the log: a single line, safe for pages, terminals and tables. Control characters are replaced by symbols,
 * and very long texts lose their middle, because the ends of a path say most.
 */
export function plainText(text: string): string {
  const short = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\u2026${text.slice(1 - MAX_TEXT / 2)}`;
  return short.toWellFormed().replace(CONTROL, picture).replace(UNSEEN, '\ufffd');
}

/** From U+2400 on; the one for "delete" is separate. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
}

/** The same for all texts in the details of a row. */
export function plainDetails(details: Readonly<Record<string, unknown>>): string | null {
  const entries = Object.entries(details).filter(([, value]) => value !== null && value !== undefined);
  if (entries.length === 0) return null;
  return JSON.stringify(
    Object.fromEntries(entries.slice(0, MAX_ITEMS).map(([key, value]) => [key, plainValue(value)])),
  );
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(plainValue);
  return typeof value === 'number' || typeof value === 'boolean' ? value : plainText(String(value));
}
