// Photos with a film inside, as phones write them.

/** A box (ISO/IEC 14496-12, 4.2). */
export function box(type: string, ...bodies: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + bodies.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...bodies]);
}

/** The frame of a film, without pictures. */
export const emptyFilm = (bytes = 40): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0isommp42', 'latin1')),
    box('mdat', Buffer.alloc(bytes, 7)),
    box('moov', box('mvhd', Buffer.alloc(100))),
  ]);

/** A JPEG with XMP. @param jpeg without metadata @param description attributes and elements of the description */
export function withXmp(jpeg: Buffer, description: string): Buffer {
  const xmp = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet(description)}`);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(2 + xmp.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, xmp, jpeg.subarray(2)]);
}

const packet = (description: string) => `<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" xmlns:Container="http://ns.google.com/photos/1.0/container/"
 xmlns:Item="http://ns.google.com/photos/1.0/container/item/" ${description}</rdf:Description></rdf:RDF></x:xmpmeta>`;

export interface Contained {
  readonly semantic: string;
  readonly length: number | string;
  readonly padding?: number | string;
}

/** The description of a motion photo, version 1.0. @param isMotion the value of the flag */
export function motionXmp(items: readonly Contained[], isMotion = '1'): string {
  const entries = items.map(
    ({ semantic, length, padding = 0 }) =>
      `<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="video/mp4" Item:Semantic="${semantic}" Item:Length="${length}" Item:Padding="${padding}"/></rdf:li>`,
  );
  return `GCamera:MotionPhoto="${isMotion}" GCamera:MotionPhotoVersion="1">
<Container:Directory><rdf:Seq>${entries.join('')}</rdf:Seq></Container:Directory>`;
}

/** A motion photo, version 1.0. @param padding bytes between the photo and the film */
export function motionPhoto(jpeg: Buffer, film: Buffer, padding = 0): Buffer {
  const items = [
    { semantic: 'Primary', length: 0, padding },
    { semantic: 'MotionPhoto', length: film.length },
  ];
  return Buffer.concat([withXmp(jpeg, motionXmp(items)), Buffer.alloc(padding), film]);
}

/** What phones wrote before. @param offset bytes from the beginning of the film to the end of the file */
export function microVideo(jpeg: Buffer, film: Buffer, offset: number | string = film.length): Buffer {
  const description = `GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="${offset}">`;
  return Buffer.concat([withXmp(jpeg, description), film]);
}

const u16 = (value: number) => Buffer.from([value & 255, value >> 8]);
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** A JPEG with the trailer of Samsung, which has the film as one of its entries. */
export function samsungPhoto(jpeg: Buffer, film: Buffer): Buffer {
  const entries = [
    ['Image_UTC_Data', 0x0a01, Buffer.from('1700000000000')],
    ['MotionPhoto_Data', 0x0a30, film],
  ] as const;
  const blocks = entries.map(([name, type, content]) =>
    Buffer.concat([u16(0), u16(type), u32(name.length), Buffer.from(name), content]),
  );
  let back = blocks.reduce((sum, { length }) => sum + length, 0);
  const table = blocks.map((block, index) => {
    const entry = Buffer.concat([u16(0), u16(entries[index]?.[1] ?? 0), u32(back), u32(block.length)]);
    back -= block.length;
    return entry;
  });
  const directory = Buffer.concat([Buffer.from('SEFH'), u32(106), u32(blocks.length), ...table]);
  return Buffer.concat([jpeg, ...blocks, directory, u32(directory.length), Buffer.from('SEFT')]);
}

/** A HEIC with a film in its own box. */
export const motionHeic = (heic: Buffer, film: Buffer): Buffer => Buffer.concat([heic, box('mpvd', film)]);
