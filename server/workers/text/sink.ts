/** Ends the reading of a document once there is enough text. */
export class Enough extends Error {}

/** Collects text up to a limit. */
export class TextSink {
  text = '';
  readonly #limit: number;

  /** @param limit in UTF-16 units */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws Enough at the limit */
  add(text: string): void {
    this.text += text;
    if (this.text.length < this.#limit) return;
    this.text = this.text.slice(0, this.#limit);
    throw new Enough();
  }
}

/** A soft hyphen at the end of a line, and where the word continues: on the next page, or in a quoted line of a message. */
const DIVIDED = /\u00ad[ \t]*(?:\r\n?|[\n\f\u2028])[ \t>]*(?=\p{L})/gu;

/** The text with words whole that are divided by a soft hyphen at the end of a line. */
export function withWholeWords(text: string): string {
  return text.replace(DIVIDED, '');
}

/** Extracts the text of an open file of `size` bytes. @throws JobError, or Enough when the sink is full */
export type ReadText = (fd: number, size: number, sink: TextSink) => Promise<void>;
