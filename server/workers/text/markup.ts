import { Parser } from 'htmlparser2';
import { Enough, type TextSink } from './sink.ts';

/** Nesting of elements. Deeper documents are not genuine, and expensive to parse. */
const MAX_DEPTH = 2_000;
/** UTF-16 units of a text that stands for another. */
const MAX_MEANT = 1_000;

export type Attributes = Readonly<Record<string, string>>;

/** Which parts of a document are text. Element names have no prefix. */
export interface MarkupRules {
  /** HTML, including void elements; otherwise XML. Entities declared by the document are never resolved. */
  readonly isHtml: boolean;
  /** Whether an element is skipped with all its content. */
  readonly isSkipped: (name: string, attributes: Attributes) => boolean;
  /** Whether text in this element, and below it, counts. */
  readonly hasText: (name: string) => boolean;
  /** Whether the start and end of the element separate words. */
  readonly isBreak: (name: string) => boolean;
  /** Text that an element stands for, within a word or line. */
  readonly inlineOf?: (name: string, attributes: Attributes) => string | undefined;
  /** What the text of this element stands for, in place of it. Asked after `isSkipped`, and only where there is text. */
  readonly meaningOf?: (name: string) => ((text: string) => string) | undefined;
  /** Text in an attribute. */
  readonly textOf?: (name: string, attributes: Attributes) => string | undefined;
}

/** Parses a document in chunks, and writes its text to the sink. */
export class MarkupReader {
  readonly #parser: Parser;
  #depth = 0;
  /** The depth of the skipped element; infinite if there is none. */
  #skippedFrom = Number.POSITIVE_INFINITY;
  #inText = 0;
  #meaning: ((text: string) => string) | undefined;
  #meant = '';

  constructor(sink: TextSink, rules: MarkupRules) {
    const { isHtml, isSkipped, hasText, isBreak, textOf, inlineOf, meaningOf } = rules;
    // In HTML, text may be outside of all elements: browsers add those around it.
    if (isHtml) this.#inText = 1;
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
          if (hasText(name)) {
            this.#inText += 1;
            this.#meaning = meaningOf?.(name);
            this.#meant = '';
          }
          if (isBreak(name)) sink.add('\n');
          sink.add(inlineOf?.(name, attributes) ?? '');
          const text = textOf?.(name, attributes);
          if (text !== undefined) sink.add(`\n${text}\n`);
        },
        onclosetag: (fullName) => {
          const name = localName(fullName);
          const wasRead = isRead();
          this.#depth -= 1;
          if (this.#depth < this.#skippedFrom) this.#skippedFrom = Number.POSITIVE_INFINITY;
          if (!wasRead) return;
          if (hasText(name)) {
            this.#inText -= 1;
            if (this.#meaning !== undefined) sink.add(this.#meaning(this.#meant));
            this.#meaning = undefined;
          }
          if (isBreak(name)) sink.add('\n');
        },
        ontext: (text) => {
          if (this.#inText === 0 || !isRead()) return;
          if (this.#meaning === undefined) sink.add(text);
          else if (this.#meant.length < MAX_MEANT) this.#meant += text;
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
