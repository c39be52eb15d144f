import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { Random } from '../../model/random.ts';

export type Colour = readonly [red: number, green: number, blue: number];

const COLOURS = {
  red: [200, 40, 40],
  green: [40, 160, 40],
  blue: [40, 40, 200],
  yellow: [220, 200, 30],
} as const;

/** Four quarters, from the upper left one, row by row. */
export type Quarters = readonly [
  keyof typeof COLOURS,
  keyof typeof COLOURS,
  keyof typeof COLOURS,
  keyof typeof COLOURS,
];
export const UPRIGHT: Quarters = ['red', 'green', 'blue', 'yellow'];

/** @param size pixels on each side */
export function quarters(order: Quarters = UPRIGHT, size = 64): Sharp {
  const bytes = Buffer.from(order.flatMap((name) => [...COLOURS[name]]));
  return sharp(bytes, { raw: { width: 2, height: 2, channels: 3 } }).resize(size, size, { kernel: 'nearest' });
}

export async function pixel(image: Uint8Array, x: number, y: number): Promise<Colour> {
  const { data, info } = await sharp(image).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

/** The name of the colour that a pixel nearly has: printing colours cannot show all of them as they are. */
export async function colourAt(image: Uint8Array, x: number, y: number): Promise<string> {
  const found = await pixel(image, x, y);
  const distance = (colour: Colour) => Math.hypot(...colour.map((value, channel) => value - (found[channel] ?? 0)));
  return Object.entries(COLOURS).find(([, colour]) => distance(colour) < 80)?.[0] ?? found.join(' ');
}

/** Of a picture of 256 × 256: the colours of its quarters. */
export async function quartersOf(image: Uint8Array): Promise<string[]> {
  const places = [
    [64, 64],
    [192, 64],
    [64, 192],
    [192, 192],
  ] as const;
  return Promise.all(places.map(([x, y]) => colourAt(image, x, y)));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG of black and white pixels, all black: 30,000 × 30,000 of them are 110 kilobytes. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

export const svg = (address: string) =>
  Buffer.from(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${address}/entity">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">
<image xlink:href="${address}/image.png" width="64" height="64"/><image href="file:///etc/hostname" width="9" height="9"/>
<style>@import url("${address}/style.css");</style><text>&x;</text></svg>`);

/** One small whole image of each kind that is taken. */
export async function corpus(): Promise<Record<string, Buffer>> {
  const photo = quarters(UPRIGHT, 96);
  const frames = [
    await quarters().png().toBuffer(),
    await quarters(['yellow', 'blue', 'green', 'red']).png().toBuffer(),
  ];
  return {
    jpeg: await photo.clone().jpeg({ quality: 95 }).withExif(WHERE_AND_WHO).toBuffer(),
    progressive: await photo.clone().jpeg({ progressive: true }).toBuffer(),
    cmyk: await photo.clone().toColourspace('cmyk').jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(),
    png: await photo.clone().png().toBuffer(),
    png16: await photo.clone().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    palette: await photo.clone().png({ palette: true }).toBuffer(),
    gif: await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
    webp: await photo.clone().webp({ quality: 95 }).toBuffer(),
    lossless: await photo.clone().webp({ lossless: true }).toBuffer(),
    avif: await photo.clone().avif({ quality: 90, effort: 0 }).toBuffer(),
    tiff: await photo.clone().tiff({ compression: 'deflate' }).toBuffer(),
  };
}

export const WHERE_AND_WHO = {
  IFD0: { Copyright: 'Somebody Secret', Model: 'Secret Camera' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '7/1 0/1 0/1' },
};

/** An image as a failing disk, a broken transfer or somebody with a purpose leaves it. */
export function mutate(image: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(image);
  for (let times = 1 + random.below(8); times > 0; times -= 1) {
    const at = random.below(bytes.length);
    const end = Math.min(bytes.length, at + 1 + random.below(16));
    switch (random.below(5)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
        break;
      case 1:
        bytes.fill(random.pick([0x00, 0xff, 0x7f, 0x80]), at, end);
        break;
      case 2:
        // Sizes, offsets and counts stand near the start.
        bytes[random.below(Math.min(64, bytes.length))] = random.below(256);
        break;
      case 3:
        bytes.copyWithin(at, random.below(bytes.length), random.below(bytes.length));
        break;
      default:
        for (let index = at; index < end; index += 1) bytes[index] = random.below(256);
    }
  }
  return random.chance(0.2) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}
