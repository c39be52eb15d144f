/** Ends the reading of a document of which there is enough: what has been taken of it is its text. */
export class Enough extends Error {}

/** Takes text up to a limit. */
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

/** Takes the text out of an open file of `size` bytes. @throws JobError, or Enough when the sink wants no more */
export type ReadText = (fd: number, size: number, sink: TextSink) => Promise<void>;
