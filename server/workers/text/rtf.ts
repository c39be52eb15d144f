import { encodingOfPage } from '../encodings/code-pages.ts';
import { decoderOf } from '../encodings/decoders.ts';
import { readStart } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ReadText, TextSink } from './sink.ts';

/** Bytes that are read. Pictures are hexadecimal digits, and larger than all text. */
export const MAX_RTF = 32 * 1024 * 1024;
/** Nesting of groups. Deeper documents are not genuine. */
const MAX_DEPTH = 1_000;

/** Destinations (RTF 1.9.1, Destinations) without text of the page. Those that begin with `\*` and are not known are skipped as well. */
const SKIPPED = new Set(
  'fonttbl colortbl stylesheet info pict object objdata fldinst listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl filetbl bkmkstart bkmkend atnid atnauthor atntime atnicn atnref atndate atnparent nonshppict panose falt sp listtext nonesttables ftnsep ftnsepc aftnsep aftnsepc mmathPr pntext pntxta pntxtb xe tc userprops docvar template private comment'.split(
    ' ',
  ),
);
/** Of these, the text belongs to the page although programs may ignore them, or they are notes beside it. */
const READ = new Set(
  'shppict shpinst shptxt annotation footnote header footer headerl headerr headerf footerl footerr footerf'.split(' '),
);

/** What separates words. */
const BREAKS = new Set('par line tab cell nestcell row nestrow sect page column'.split(' '));
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['emdash', '—'],
  ['endash', '–'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['bullet', ' • '],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['zwj', '\u200d'],
  ['zwnj', '\u200c'],
  ['~', '\u00a0'],
  ['_', '-'],
  ['-', '\u00ad'],
]);

/** The encodings of `\ansi`, `\mac`, `\pc` and `\pca`. */
const SETS: ReadonlyMap<string, string> = new Map([
  ['ansi', 'windows-1252'],
  ['mac', 'macintosh'],
  ['pc', 'cp437'],
  ['pca', 'cp850'],
]);

/** The encodings of `\fcharset` (RTF 1.9.1, Font Table); others are that of the document. */
const CHARSETS: ReadonlyMap<number, string> = new Map([
  [77, 'macintosh'],
  [128, 'shift_jis'],
  [129, 'euc-kr'],
  [130, 'euc-kr'],
  [134, 'gbk'],
  [136, 'big5'],
  [161, 'windows-1253'],
  [162, 'windows-1254'],
  [163, 'windows-1258'],
  [177, 'windows-1255'],
  [178, 'windows-1256'],
  [186, 'windows-1257'],
  [204, 'windows-1251'],
  [222, 'windows-874'],
  [238, 'windows-1250'],
  [254, 'cp437'],
  [255, 'cp850'],
]);

/** What a group inherits from the one around it. */
interface State {
  readonly isSkipped: boolean;
  readonly isHidden: boolean;
  readonly isFontTable: boolean;
  /** Whether it is a note, or text beside the page: words of their own. */
  readonly isAside: boolean;
  readonly font: number;
  /** Characters that stand for a `\u` in programs that do not know it. */
  readonly fallback: number;
}

const CONTROL = /\\(?:([a-z]{1,32})(-?\d{1,10})?[ ]?|'([0-9a-f]{2})|([^a-z]))|[{}]|[^\\{}]+/gi;

/** Rich Text Format: the text of the page with notes, headers and footers, without fields, fonts and pictures. */
export const readRtf: ReadText = async (fd, size, sink) => addRtf(readStart(fd, size, MAX_RTF), sink);

/** Like `readRtf`, of bytes. @throws JobError, Enough */
export function addRtf(bytes: Buffer, sink: TextSink): void {
  const source = bytes.toString('latin1');
  if (!source.startsWith('{\\rtf')) throw new JobError('unsupported', 'no document of this kind');
  new RtfReader(source, sink).read();
}

class RtfReader {
  readonly #source: string;
  readonly #sink: TextSink;
  readonly #outside: State[] = [];
  #state: State = { isSkipped: false, isHidden: false, isFontTable: false, isAside: false, font: -1, fallback: 1 };
  #encoding = 'windows-1252';
  #defaultFont = -1;
  /** The encodings of fonts, by their numbers. */
  readonly #fonts = new Map<number, string>();
  #defined = -1;
  /** Bytes that are not decoded yet: a character may have several. */
  #bytes: number[] = [];
  /** Half of a character that two `\u` stand for. */
  #high = '';
  /** Characters that are still to be left out, because a `\u` has been read in their place. */
  #toSkip = 0;
  #isStarred = false;
  #isFirst = false;

  constructor(source: string, sink: TextSink) {
    this.#source = source;
    this.#sink = sink;
  }

  /** @throws Enough */
  read(): void {
    CONTROL.lastIndex = 0;
    for (let at = 0; at < this.#source.length; ) {
      CONTROL.lastIndex = at;
      const match = CONTROL.exec(this.#source);
      if (match === null) break;
      at = CONTROL.lastIndex;
      const [whole, word, number, byte, symbol] = match;
      if (word === 'bin') at += Math.max(0, Math.min(Number(number ?? 0), this.#source.length));
      if (whole === '{') this.#open();
      else if (whole === '}') this.#close();
      else if (byte !== undefined) this.#byte(Number.parseInt(byte, 16));
      else if (word !== undefined) this.#word(word, number === undefined ? null : Number(number));
      else if (symbol !== undefined) this.#symbol(symbol);
      else this.#plain(whole);
    }
    this.#flush();
  }

  #open(): void {
    this.#flush();
    this.#toSkip = 0;
    if (this.#outside.length >= MAX_DEPTH) throw new JobError('corrupt', 'groups are nested too deeply');
    this.#outside.push(this.#state);
    this.#isFirst = true;
  }

  #close(): void {
    this.#flush();
    this.#toSkip = 0;
    this.#isFirst = false;
    this.#isStarred = false;
    const { isAside } = this.#state;
    this.#state = this.#outside.pop() ?? this.#state;
    if (isAside && !this.#state.isAside) this.#break();
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#isStarred = true;
    else if (symbol === '\r' || symbol === '\n') this.#break();
    else if (this.#toSkip > 0) this.#toSkip -= 1;
    else this.#add(CHARACTERS.get(symbol) ?? ('\\{}'.includes(symbol) ? symbol : ''));
  }

  #word(word: string, number: number | null): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (this.#isStarred || isFirst) {
      const isUnknown = this.#isStarred && !READ.has(word);
      this.#isStarred = false;
      if (SKIPPED.has(word) || isUnknown) this.#state = { ...this.#state, isSkipped: true };
      if (READ.has(word)) {
        this.#break();
        this.#state = { ...this.#state, isAside: true };
      }
    }
    if (word === 'fonttbl') this.#state = { ...this.#state, isFontTable: true };
    if (word === 'u') this.#unicode(number ?? 0);
    else if (this.#toSkip > 0 && (BREAKS.has(word) || CHARACTERS.has(word))) this.#toSkip -= 1;
    else if (BREAKS.has(word)) this.#break();
    else if (CHARACTERS.has(word)) this.#add(CHARACTERS.get(word) ?? '');
    else this.#property(word, number);
  }

  #property(word: string, number: number | null): void {
    const set = SETS.get(word);
    if (set !== undefined) this.#encoding = set;
    if (word === 'ansicpg' && number !== null && number > 0) this.#encoding = encodingOfPage(number);
    if (word === 'uc' && number !== null)
      this.#state = { ...this.#state, fallback: Math.max(0, Math.min(number, 100)) };
    if (word === 'v' || word === 'deleted') this.#setHidden(number !== 0);
    if (word === 'plain') {
      this.#flush();
      this.#state = { ...this.#state, isHidden: false, font: this.#defaultFont };
    }
    if (word === 'deff' && number !== null) this.#defaultFont = number;
    if (word === 'f' && number !== null) this.#font(number);
    if (!this.#state.isFontTable || number === null) return;
    const encoding = word === 'fcharset' ? CHARSETS.get(number) : word === 'cpg' ? encodingOfPage(number) : undefined;
    if (encoding !== undefined && this.#fonts.size < 10_000) this.#fonts.set(this.#defined, encoding);
  }

  #setHidden(isHidden: boolean): void {
    this.#flush();
    this.#state = { ...this.#state, isHidden };
  }

  #font(number: number): void {
    if (this.#state.isFontTable) {
      this.#defined = number;
      return;
    }
    this.#flush();
    this.#state = { ...this.#state, font: number };
  }

  /** A UTF-16 unit, negative from 32,768 on. */
  #unicode(number: number): void {
    this.#flush();
    const unit = String.fromCharCode(number & 0xffff);
    if (/[\ud800-\udbff]/.test(unit)) this.#high = unit;
    else {
      this.#add(this.#high + unit);
      this.#high = '';
    }
    this.#toSkip = this.#state.fallback;
  }

  #byte(byte: number): void {
    this.#isFirst = false;
    if (this.#toSkip > 0) this.#toSkip -= 1;
    else if (this.#isShown()) this.#bytes.push(byte);
  }

  /** Line ends of the file mean nothing. */
  #plain(text: string): void {
    // Pictures are long, and left out.
    if (!this.#isShown() && this.#toSkip === 0) return;
    const shown = text.replace(/[\r\n\0]/g, '');
    if (shown !== '') this.#isFirst = false;
    const skipped = Math.min(this.#toSkip, shown.length);
    this.#toSkip -= skipped;
    if (!this.#isShown()) return;
    // In encodings of several bytes, the second one may be a letter as it stands.
    if (this.#bytes.length > 0 || /[\x80-\xff]/.test(shown)) {
      for (const char of shown.slice(skipped)) this.#bytes.push(char.charCodeAt(0));
    } else this.#add(shown.slice(skipped));
  }

  #break(): void {
    this.#flush();
    if (this.#isShown()) this.#sink.add('\n');
  }

  #add(text: string): void {
    this.#flush();
    if (this.#isShown()) this.#sink.add(text);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Uint8Array.from(this.#bytes);
    this.#bytes = [];
    const decoder = decoderOf(this.#fonts.get(this.#state.font) ?? this.#encoding) ?? decoderOf('windows-1252');
    if (this.#isShown()) this.#sink.add(decoder?.decode(bytes) ?? '');
  }

  #isShown(): boolean {
    return !this.#state.isSkipped && !this.#state.isHidden;
  }
}
