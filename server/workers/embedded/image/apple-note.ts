/** What Apple's cameras write of a photo in their maker note, for what belongs together. */
interface AppleNote {
  /** The identifier that a Live Photo and its film have in common. */
  readonly contentId: string | undefined;
  readonly burstId: string | undefined;
}

const BEGINNING = 'Apple iOS\0';
/** After the beginning, a version, and the byte order, which is always this one. */
const ORDER = { at: 12, value: 'MM' };
const DIRECTORY = 14;
const ENTRY = 12;
const MAX_ENTRIES = 200;
const ASCII = 2;
/** In ExifTool's terms: Apple tags. */
const BURST = 0x000b;
const CONTENT = 0x0011;

/** Reads a maker note. One of another camera, or one that is cut off, tells nothing. */
export function appleNoteIn(note: Buffer): AppleNote {
  const texts = new Map<number, string>();
  const isApple = note.toString('latin1', 0, BEGINNING.length) === BEGINNING;
  const isKnown = note.toString('latin1', ORDER.at, DIRECTORY) === ORDER.value;
  if (isApple && isKnown && note.length >= DIRECTORY + 2) {
    const count = Math.min(note.readUInt16BE(DIRECTORY), MAX_ENTRIES);
    for (let at = DIRECTORY + 2; at < DIRECTORY + 2 + count * ENTRY && at + ENTRY <= note.length; at += ENTRY) {
      const [tag, type, length] = [note.readUInt16BE(at), note.readUInt16BE(at + 2), note.readUInt32BE(at + 4)];
      if (type !== ASCII || (tag !== BURST && tag !== CONTENT)) continue;
      // Longer values are where the entry says, from the beginning of the note.
      const start = length <= 4 ? at + 8 : note.readUInt32BE(at + 8);
      if (start + length <= note.length)
        texts.set(tag, note.toString('latin1', start, start + length).replace(/\0.*$/s, ''));
    }
  }
  return { contentId: texts.get(CONTENT), burstId: texts.get(BURST) };
}
