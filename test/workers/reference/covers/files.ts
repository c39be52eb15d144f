import sharp from 'sharp';
import { buildFlac, buildMp3, buildOpus, flacPicture, ID3_TEXTS } from '../music/build.ts';

/** What the pictures show: each is of one colour. */
export const COLOURS = { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff, white: 0xffffff, black: 0x000000 } as const;
type Colour = keyof typeof COLOURS;

/** Kinds of pictures (ID3v2.4.0, 4.14). */
const KIND = { other: 0, icon: 1, front: 3, back: 4, leaflet: 5, artist: 8 } as const;
type Kind = keyof typeof KIND;

/** The pictures of a song, in their order. */
const ORDERS: readonly (readonly Kind[])[] = [
  ['front'],
  ['other'],
  ['back'],
  ['back', 'front'],
  ['icon', 'front'],
  ['artist', 'leaflet', 'front'],
  ['front', 'back'],
  ['other', 'front'],
  ['icon', 'other', 'front', 'back'],
  ['leaflet', 'back', 'artist', 'front'],
];
const DESCRIPTIONS = ['', 'Cover', 'Größe', 'обложка', '表紙'];

interface Picture {
  readonly kind: Kind;
  readonly description: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Attached pictures of ID3v2.3 and 2.4: the description ends with one zero byte or two, by its encoding. */
function attached({ kind, description, type, bytes }: Picture, encoding: keyof typeof ID3_TEXTS): Buffer {
  const text = ID3_TEXTS[encoding](description);
  const end = Buffer.alloc(encoding.startsWith('utf16') ? 2 : 1);
  const head = Buffer.from(`${type}\0${String.fromCharCode(KIND[kind])}`, 'latin1');
  return Buffer.concat([text.subarray(0, 1), head, text.subarray(1), end, bytes]);
}

/** Songs with one or more pictures, each in several kinds of files. */
export async function covers(): Promise<ReadonlyMap<string, Uint8Array>> {
  const drawn = new Map<string, Buffer>();
  const names = Object.keys(COLOURS) as Colour[];
  for (const name of names) {
    const [r, g, b] = [COLOURS[name] >> 16, (COLOURS[name] >> 8) & 255, COLOURS[name] & 255];
    const blank = sharp({ create: { width: 32, height: 32, channels: 3, background: { r, g, b } } });
    drawn.set(`${name} image/png`, await blank.clone().png().toBuffer());
    drawn.set(`${name} image/jpeg`, await blank.clone().jpeg({ quality: 95 }).toBuffer());
  }
  const files = new Map<string, Uint8Array>();
  for (const [number, kinds] of ORDERS.entries()) {
    for (const [turn, description] of DESCRIPTIONS.entries()) {
      const pictures = kinds.map((kind, index) => {
        const type = (turn + index) % 2 === 0 ? 'image/png' : 'image/jpeg';
        const colour = names[(number + turn + index) % names.length];
        // A description stands once for each frame of ID3.
        const text = `${description}${index === 0 ? '' : ` ${index}`}`;
        return { kind, description: text, type, bytes: drawn.get(`${colour} ${type}`) ?? Buffer.alloc(0) };
      });
      const isLatin = /^[\0-\xff]*$/.test(description);
      const encodings = (['latin1', 'utf16', 'utf16be', 'utf8'] as const).filter((one) => isLatin || one !== 'latin1');
      const encoding = encodings[number % encodings.length] ?? 'utf16';
      const version = encoding === 'utf8' || encoding === 'utf16be' || turn % 2 === 1 ? 4 : 3;
      const frames = pictures.map((picture) => ['APIC', attached(picture, encoding)] as const);
      files.set(
        `${number}-${turn}-${encoding}.mp3`,
        buildMp3(version, [['TIT2', ID3_TEXTS.latin1('Song')], ...frames]),
      );
      const blocks = pictures.map((one) => flacPicture(KIND[one.kind], one.description, one.type, one.bytes));
      files.set(`${number}-${turn}.flac`, buildFlac([['TITLE', 'Song']], blocks));
      const comments = blocks.map((block) => ['METADATA_BLOCK_PICTURE', block.toString('base64')] as const);
      files.set(`${number}-${turn}.opus`, buildOpus([['TITLE', 'Song'], ...comments]));
    }
  }
  return files;
}
