import { CompoundFile, MAX_STREAM } from '../../compound/compound-file.ts';
import { JobError } from '../../job-error.ts';
import type { ReadText, TextSink } from '../sink.ts';
import { readerOfContent } from './other-content.ts';

/** [MS-PPT] 2.3.2. */
const IS_ENCRYPTED = 0xf3_d1_c4_df;
/** Nesting of records, saved states of a presentation, and parts of it. More are not genuine. */
const MAX_DEPTH = 50;
const MAX_EDITS = 1_000;
const MAX_PARTS = 100_000;

/** Records ([MS-PPT] 2.13.24). */
const SLIDES = 0x0f_f0;
const SLIDE = 0x03_f3;
const LETTERS = 0x0f_a0;
const BYTES = 0x0f_a8;
const EDIT = 0x0f_f5;
const PLACES = 0x17_72;
const COMMENT = 0x2e_e0;
const STRING = 0x0f_ba;

interface PptRecord {
  readonly type: number;
  /** Whether its content are records. */
  readonly isContainer: boolean;
  /** What kind of list it is, among others. */
  readonly instance: number;
  readonly data: Buffer;
}

/**
 * PowerPoint 97 to 2003: the titles and texts of the slides in their order, their notes, and comments. Older states of the
 * slides, which are still in a file that was saved quickly, and the words of the layout are left out.
 */
export const readPowerPoint: ReadText = async (fd, size, sink) => {
  const other = await readerOfContent(fd, 'office');
  if (other !== null) return await other(fd, size, sink);
  const file = new CompoundFile(fd, size);
  const content = file.stream('PowerPoint Document', MAX_STREAM);
  const user = file.stream('Current User', 1_024);
  if (content === null || user === null) throw new JobError('unsupported', 'no document of this kind');
  if (user.length < 20) throw new JobError('corrupt', 'the presentation does not say where it begins');
  if (user.readUInt32LE(12) === IS_ENCRYPTED) throw new JobError('unsupported', 'the presentation is encrypted');
  const { places, document } = savedState(content, user.readUInt32LE(16));
  const main = recordAt(content, places.get(document) ?? content.length);
  if (main === null) throw new JobError('corrupt', 'the presentation has no document');
  /** Each slide is there once. */
  const read = new Set<number>();
  for (const list of recordsOf(main.data)) {
    if (list.type !== SLIDES) continue;
    // The first list are the layouts.
    if (list.instance === 1) continue;
    for (const record of recordsOf(list.data)) {
      if (record.type !== SLIDE) addText(sink, record);
      else if (record.data.length >= 4) {
        const id = record.data.readUInt32LE(0);
        const place = places.get(id) ?? content.length;
        const slide = read.has(place) ? null : recordAt(content, place);
        if (slide !== null) addText(sink, slide);
        read.add(place);
      }
    }
  }
};

/** Where the parts of the presentation are, by their numbers; what was saved last counts ([MS-PPT] 2.1.2). */
function savedState(content: Buffer, last: number): { places: ReadonlyMap<number, number>; document: number } {
  const places = new Map<number, number>();
  const seen = new Set<number>();
  let document = 0;
  for (let at = last; !seen.has(at) && seen.size < MAX_EDITS && places.size < MAX_PARTS; ) {
    seen.add(at);
    const edit = recordAt(content, at);
    if (edit?.type !== EDIT || edit.data.length < 20) break;
    if (document === 0) document = edit.data.readUInt32LE(16);
    addPlaces(places, recordAt(content, edit.data.readUInt32LE(12)));
    at = edit.data.readUInt32LE(8);
    if (at === 0) break;
  }
  return { places, document };
}

function addPlaces(places: Map<number, number>, list: PptRecord | null): void {
  if (list?.type !== PLACES) return;
  const { data } = list;
  for (let at = 0; at + 4 <= data.length && places.size < MAX_PARTS; ) {
    const head = data.readUInt32LE(at);
    at += 4;
    const first = head & 0xf_ff_ff;
    for (let index = 0; index < head >>> 20 && at + 4 <= data.length; index += 1, at += 4) {
      if (!places.has(first + index)) places.set(first + index, data.readUInt32LE(at));
    }
  }
}

function recordAt(content: Buffer, at: number): PptRecord | null {
  if (at + 8 > content.length) return null;
  const head = content.readUInt16LE(at);
  const length = content.readUInt32LE(at + 4);
  return {
    type: content.readUInt16LE(at + 2),
    isContainer: (head & 0xf) === 0xf,
    instance: head >>> 4,
    data: content.subarray(at + 8, at + 8 + length),
  };
}

function* recordsOf(data: Buffer): Generator<PptRecord> {
  for (let at = 0; ; ) {
    const record = recordAt(data, at);
    if (record === null) return;
    yield record;
    at += 8 + record.data.length;
  }
}

/** The letters of a record and of those in it. @throws Enough */
function addText(sink: TextSink, { type, isContainer, data }: PptRecord, depth = 0, isComment = false): void {
  if (type === LETTERS || (type === STRING && isComment)) sink.add(`${lines(data.toString('utf16le'))}\n`);
  else if (type === BYTES) sink.add(`${lines(data.toString('latin1'))}\n`);
  if (!isContainer || depth >= MAX_DEPTH) return;
  for (const record of recordsOf(data)) addText(sink, record, depth + 1, isComment || type === COMMENT);
}

/** Paragraphs end with a carriage return, lines with a vertical tab; other control characters stand for fields. */
function lines(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format marks by control characters
  return text.replaceAll(/[\r\u000b]/gu, '\n').replaceAll(/[\u0000-\u0008\u000e-\u001f]/gu, ' ');
}
