import { Parser } from 'htmlparser2';
import { Enough, type TextSink } from './sink.ts';

/** Elements within each other. Deeper ones are nobody's document, and cost the parser more than they hold. */
const MAX_DEPTH = 2_000;

export type Attributes = Readonly<Record<string, string>>;

/** What of a document is text. Names of elements are without their prefix. */
export interface MarkupRules {
  /** HTML, with its elements that need no end; otherwise XML. Neither ever resolves an entity that the document declares. */
  readonly isHtml: boolean;
  /** Whether an element is left out with everything in it. */
  readonly isSkipped: (name: string, attributes: Attributes) => boolean;
  /** Whether text counts in this element, and below it. */
  readonly hasText: (name: string) => boolean;
  /** Whether words end where the element begins and ends. */
  readonly isBreak: (name: string) => boolean;
  /** Text that stands in an attribute. */
  readonly textOf?: (name: string, attributes: Attributes) => string | undefined;
}

/** Takes a document in chunks, and gives its text to the sink. */
export class MarkupReader {
  readonly #parser: Parser;
  #depth = 0;
  /** The depth at which something is left out; infinite when nothing is. */
  #skippedFrom = Number.POSITIVE_INFINITY;
  #inText = 0;

  constructor(sink: TextSink, rules: MarkupRules) {
    const { isHtml, isSkipped, hasText, isBreak, textOf } = rules;
    const isRead = () => this.#depth < this.#skippedFrom;
    this.#parser = new Parser(
      {
        onopentag: (fullName, attributes) => {
          const name = localName(fullName);
          this.#depth += 1;
          if (this.#depth > MAX_DEPTH) throw new Enough();
          if (!isRead()) return;
          if (isSkipped(name, attributes)) {
            this.#skippedFrom = this.#depth;
            return;
          }
          if (hasText(name)) this.#inText += 1;
          if (isBreak(name)) sink.add('\n');
          const text = textOf?.(name, attributes);
          if (text !== undefined) sink.add(`\n${text}\n`);
        },
        onclosetag: (fullName) => {
          const name = localName(fullName);
          const wasRead = isRead();
          this.#depth -= 1;
          if (this.#depth < this.#skippedFrom) this.#skippedFrom = Number.POSITIVE_INFINITY;
          if (!wasRead) return;
          if (hasText(name)) this.#inText -= 1;
          if (isBreak(name)) sink.add('\n');
        },
        ontext: (text) => {
          if (this.#inText > 0 && isRead()) sink.add(text);
        },
      },
      { xmlMode: !isHtml, recognizeSelfClosing: true, decodeEntities: true },
    );
  }

  /** @throws Enough */
  write(text: string): void {
    this.#parser.write(text);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
