/** What Apple's cameras write of what belongs together. */
export interface AppleNote {
  /** The identifier that a photo and its film have in common. */
  readonly content?: string;
  readonly burst?: string;
  /** Such as `2024:05:06 07:08:09`. */
  readonly taken?: string;
}

type Entry = readonly [tag: number, type: number, count: number, value: Buffer];

const [ASCII, LONG, UNDEFINED] = [2, 4, 7];

/** A directory at an offset, followed by its values (TIFF 6, 2). @param from what offsets of values are counted from */
function directory(at: number, entries: readonly Entry[]): Buffer {
  const head = Buffer.alloc(2 + entries.length * 12 + 4);
  head.writeUInt16BE(entries.length, 0);
  const values: Buffer[] = [];
  let free = at + head.length;
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const start = 2 + index * 12;
    head.writeUInt16BE(tag, start);
    head.writeUInt16BE(type, start + 2);
    head.writeUInt32BE(count, start + 4);
    if (value.length <= 4) value.copy(head, start + 8);
    else {
      head.writeUInt32BE(free, start + 8);
      values.push(value);
      free += value.length;
    }
  }
  return Buffer.concat([head, ...values]);
}

const text = (tag: number, value: string): Entry => {
  const bytes = Buffer.from(`${value}\0`, 'latin1');
  return [tag, ASCII, bytes.length, bytes];
};

/** The maker note of a photo. */
export function appleNote({ content, burst }: AppleNote): Buffer {
  const entries = [
    ...(burst === undefined ? [] : [text(0x000b, burst)]),
    ...(content === undefined ? [] : [text(0x0011, content)]),
  ];
  const head = Buffer.from('Apple iOS\0\0\x01MM', 'latin1');
  return Buffer.concat([head, directory(head.length, entries)]);
}

/** A JPEG with the maker note of Apple, as a camera of theirs writes it. @param jpeg without metadata */
export function applePhoto(jpeg: Buffer, { taken, ...note }: AppleNote): Buffer {
  const maker = appleNote(note);
  const pointer = (at: number): Entry => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(at);
    return [0x8769, LONG, 1, bytes];
  };
  const first = (at: number) => directory(8, [text(0x010f, 'Apple'), text(0x0110, 'iPhone 15'), pointer(at)]);
  const main = first(0);
  const exif = directory(8 + main.length, [
    ...(taken === undefined ? [] : [text(0x9003, taken)]),
    [0x927c, UNDEFINED, maker.length, maker],
  ]);
  const tiff = Buffer.concat([Buffer.from('MM\0*\0\0\0\x08', 'latin1'), first(8 + main.length), exif]);
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xffe1, 0);
  segment.writeUInt16BE(2 + 6 + tiff.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, Buffer.from('Exif\0\0'), tiff, jpeg.subarray(2)]);
}
