interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 3: RGB; 4: RGB with alpha. */
  readonly channels: number;
}

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const SIZES: Readonly<Record<number, number>> = { [SHORT]: 2, [LONG]: 4, [UNDEFINED]: 1 };
const HEADER = 8;

/**
 * Eight-bit pixels and their colour profile as an uncompressed TIFF (TIFF 6.0 §2 and 6; ICC.1:2022 annex B.4), for libraries that
 * take a profile only from a container.
 */
export function tiffOf(pixels: Uint8Array, { width, height, channels }: Pixels, icc: Uint8Array): Buffer {
  const bits = Buffer.alloc(channels * 2);
  for (let channel = 0; channel < channels; channel++) bits.writeUInt16LE(8, channel * 2);
  const fields: [tag: number, type: number, value: number | Uint8Array][] = [
    [256, LONG, width],
    [257, LONG, height],
    [258, SHORT, bits],
    [259, SHORT, 1],
    [262, SHORT, 2],
    [273, LONG, 0],
    [277, SHORT, channels],
    [278, LONG, height],
    [279, LONG, pixels.length],
    [284, SHORT, 1],
    // Unassociated alpha.
    ...(channels === 4 ? [[338, SHORT, 2] as [number, number, number]] : []),
    [34675, UNDEFINED, icc],
  ];
  const directory = Buffer.alloc(2 + fields.length * 12 + 4);
  directory.writeUInt16LE(fields.length, 0);
  const values: Uint8Array[] = [];
  let offset = HEADER + directory.length;
  const place = (bytes: Uint8Array) => {
    const at = offset;
    values.push(bytes, Buffer.alloc(bytes.length % 2));
    offset += bytes.length + (bytes.length % 2);
    return at;
  };
  for (const [index, [tag, type, value]] of fields.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    if (typeof value !== 'number') {
      directory.writeUInt32LE(value.length / (SIZES[type] ?? 1), at + 4);
      directory.writeUInt32LE(place(value), at + 8);
    } else {
      directory.writeUInt32LE(1, at + 4);
      directory.writeUInt32LE(tag === 273 ? place(pixels) : value, at + 8);
    }
  }
  const header = Buffer.from([0x49, 0x49, 42, 0, HEADER, 0, 0, 0]);
  return Buffer.concat([header, directory, ...values]);
}
