import { type Box, bodyOf, boxAt, boxesIn, CANON, namedBoxesIn } from '../boxes.ts';
import type { WindowedReader } from '../windowed-reader.ts';
import type { PictureContent } from './jpeg.ts';
import { joinedTiff } from './tiff.ts';

/** Bytes of EXIF or XMP in an image. */
const MAX_ITEM = 1024 * 1024;
const MAX_ITEMS = 10_000;
/** Header sizes of full boxes: version and flags come first (ISO/IEC 14496-12, 4.2). */
const FULL = 4;

interface Item {
  readonly id: number;
  readonly type: string;
}

/** HEIC and AVIF: the items of an image (ISO/IEC 23008-12; ISO/IEC 14496-12, 8.11). */
export async function readHeif(reader: WindowedReader): Promise<PictureContent> {
  const nothing = { exif: null, xmp: null, width: 0, height: 0, quarters: 0 };
  const meta = await boxAt(reader, 0, reader.size, ['meta']);
  if (meta === null) return nothing;
  const boxes = new Map<string, Box>();
  for await (const box of boxesIn(reader, meta.start + FULL, meta.end))
    if (!boxes.has(box.type)) boxes.set(box.type, box);
  const [pitm, iinf, iloc, iprp] = ['pitm', 'iinf', 'iloc', 'iprp'].map((type) => boxes.get(type));
  const shown =
    pitm === undefined || iprp === undefined ? nothing : await shownAs(reader, await primary(reader, pitm), iprp);
  if (iinf === undefined || iloc === undefined) return { ...nothing, ...shown };
  const places = locationsOf(await bodyOf(reader, iloc));
  const items = await itemsIn(reader, iinf);
  const bytesOf = async (type: string) => {
    const item = items.find((one) => one.type === type);
    const place = item === undefined ? undefined : places.get(item.id);
    return place === undefined || place.length > MAX_ITEM ? null : reader.readSome(place.start, place.length);
  };
  const exif = await bytesOf('Exif');
  return { ...shown, exif: exif === null ? null : behindOffset(exif), xmp: await bytesOf('mime') };
}

async function primary(reader: WindowedReader, pitm: Box): Promise<number> {
  const body = await bodyOf(reader, pitm);
  return body[0] === 0 ? body.readUInt16BE(FULL) : body.readUInt32BE(FULL);
}

async function itemsIn(reader: WindowedReader, iinf: Box): Promise<Item[]> {
  const [version] = await reader.read(iinf.start, 1);
  const items: Item[] = [];
  for await (const box of boxesIn(reader, iinf.start + FULL + (version === 0 ? 2 : 4), iinf.end)) {
    if (box.type !== 'infe' || items.length === MAX_ITEMS) continue;
    const head = await reader.readSome(box.start, 14);
    const isLong = head[0] === 3;
    if (head.length < 14 || (head[0] !== 2 && !isLong)) continue;
    const id = isLong ? head.readUInt32BE(FULL) : head.readUInt16BE(FULL);
    const type = isLong ? 10 : 8;
    items.push({ id, type: head.toString('latin1', type, type + 4) });
  }
  return items;
}

/** The location of items that are stored as a single extent. */
function locationsOf(body: Buffer): Map<number, { start: number; length: number }> {
  const places = new Map<number, { start: number; length: number }>();
  const version = body[0] ?? 0;
  const [sizes = 0, more = 0] = body.subarray(FULL, FULL + 2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4];
  const indexSize = version === 0 ? 0 : more & 15;
  let at = FULL + 2;
  const number = (size: number) => {
    at += size;
    if (size === 0) return 0;
    return size === 8 ? Number(body.readBigUInt64BE(at - 8)) : body.readUIntBE(at - size, size);
  };
  const count = number(version < 2 ? 2 : 4);
  for (let item = 0; item < Math.min(count, MAX_ITEMS); item += 1) {
    const id = number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : number(2) & 15;
    number(2);
    const base = number(baseSize);
    const extents = number(2);
    for (let extent = 0; extent < extents; extent += 1) {
      number(indexSize);
      const place = { start: base + number(offsetSize), length: number(lengthSize) };
      if (method === 0 && extents === 1) places.set(id, place);
    }
  }
  return places;
}

/** The dimensions of an image as stored, and its rotation. */
async function shownAs(reader: WindowedReader, id: number, iprp: Box) {
  const ipco = await boxAt(reader, iprp.start, iprp.end, ['ipco']);
  const ipma = await boxAt(reader, iprp.start, iprp.end, ['ipma']);
  const properties: Box[] = [];
  if (ipco !== null) for await (const box of boxesIn(reader, ipco.start, ipco.end)) properties.push(box);
  const numbers = ipma === null ? [] : associated(await bodyOf(reader, ipma), id);
  let [width, height, quarters] = [0, 0, 0];
  for (const number of numbers) {
    const property = properties[number - 1];
    if (property?.type === 'ispe') {
      const body = await reader.read(property.start, 12);
      [width, height] = [body.readUInt32BE(FULL), body.readUInt32BE(FULL + 4)];
    } else if (property?.type === 'irot') {
      const [angle = 0] = await reader.read(property.start, 1);
      quarters = angle & 3;
    }
  }
  return { exif: null, xmp: null, width, height, quarters };
}

/** The numbers of an item's properties, from 1. */
function associated(body: Buffer, id: number): number[] {
  const isLongId = (body[0] ?? 0) > 0;
  const isLong = ((body[3] ?? 0) & 1) === 1;
  const count = body.readUInt32BE(FULL);
  let at = FULL + 4;
  for (let entry = 0; entry < Math.min(count, MAX_ITEMS); entry += 1) {
    const item = isLongId ? body.readUInt32BE(at) : body.readUInt16BE(at);
    at += isLongId ? 4 : 2;
    const length = body.readUInt8(at);
    at += 1;
    const numbers = Array.from({ length }, (_, i) =>
      isLong ? body.readUInt16BE(at + i * 2) & 0x7fff : body.readUInt8(at + i) & 0x7f,
    );
    if (item === id) return numbers;
    at += length * (isLong ? 2 : 1);
  }
  return [];
}

/** An EXIF item begins with the offset of the data after these four bytes (ISO/IEC 23008-12, A.2.1). */
function behindOffset(bytes: Buffer): Buffer | null {
  return bytes.length < 12 ? null : bytes.subarray(4 + bytes.readUInt32BE(0));
}

/** CR3: the directories in Canon's own boxes. */
export async function readCanon(reader: WindowedReader): Promise<PictureContent> {
  const tiffs = new Map<string, WindowedReader>();
  const moov = await boxAt(reader, 0, reader.size, ['moov']);
  if (moov !== null) {
    for await (const box of namedBoxesIn(reader, moov.start, moov.end, CANON)) {
      for await (const one of boxesIn(reader, box.start, box.end)) {
        if (/^CMT[124]$/.test(one.type)) tiffs.set(one.type, reader.part(one.start, one.end));
      }
    }
  }
  const first = tiffs.get('CMT1');
  const exif =
    first === undefined ? null : await joinedTiff(first, tiffs.get('CMT2') ?? null, tiffs.get('CMT4') ?? null);
  return { exif, xmp: null, width: 0, height: 0, quarters: null };
}
