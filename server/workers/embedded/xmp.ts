import { Parser } from 'htmlparser2';

/** Nesting of elements, number of values, and UTF-16 units of one value. */
const MAX_DEPTH = 100;
const MAX_VALUES = 500;
const MAX_VALUE = 20_000;

/** The properties read from XMP (ISO 16684-1), by the usual prefixes of its schemas. */
const WANTED = new Set([
  ...['dc:title', 'dc:creator', 'dc:description', 'dc:subject', 'dc:rights', 'xmp:CreateDate', 'photoshop:DateCreated'],
  ...['xmp:Rating', 'MicrosoftPhoto:Rating'],
  ...[
    'exif:DateTimeOriginal',
    'tiff:Make',
    'tiff:Model',
    'aux:Lens',
    'exifEX:LensModel',
    'exif:GPSLatitude',
    'exif:GPSLongitude',
    'exif:GPSLatitudeRef',
    'exif:GPSLongitudeRef',
  ],
]);

/** The usual prefixes by their namespaces. A packet may have others. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://ns.adobe.com/xap/1.0/', 'xmp'],
  ['http://ns.adobe.com/photoshop/1.0/', 'photoshop'],
  ['http://ns.adobe.com/exif/1.0/', 'exif'],
  ['http://ns.adobe.com/tiff/1.0/', 'tiff'],
  ['http://ns.adobe.com/exif/1.0/aux/', 'aux'],
  ['http://cipa.jp/exif/1.0/', 'exifEX'],
  ['http://ns.microsoft.com/photo/1.0/', 'MicrosoftPhoto'],
]);

class Enough extends Error {}

/** The values of the requested properties, in order; of several languages the default comes first. Entities are not resolved. */
export function xmpIn(bytes: Uint8Array | null): ReadonlyMap<string, readonly string[]> {
  const reader = new XmpReader();
  if (bytes === null) return reader.properties;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      onclosetag: (name) => reader.close(name),
      ontext: (text) => reader.take(text),
    },
    { xmlMode: true, decodeEntities: true },
  );
  try {
    parser.end(new TextDecoder(isWide(bytes) ? 'utf-16le' : 'utf-8').decode(bytes));
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return reader.properties;
}

const COORDINATE =
  /^\s*([+-]?)(\d{1,3}(?:\.\d{1,20})?)(?:\s{0,2}deg(?:rees?)?)?(?:[,\s\u00b0]{1,3}(\d{1,2}(?:\.\d{1,20})?))?(?:[,\s'\u2032]{1,3}(\d{1,2}(?:\.\d{1,20})?))?["'\s\u00b0\u2032\u2033]{0,3}([NSEW]?)[a-z]*\s*$/i;

/**
 * A coordinate: `52,31.2N` and `52,31,12N` (XMP specification, part 2, 1.2.7.4), and decimal degrees or
 * `33 deg 51' 36" S`, as some programs write them.
 * @param beside the direction if it is a property of its own, as Photos of macOS writes it
 * @returns degrees; undefined for anything else
 */
export function xmpDegrees(text: string | undefined, beside = ''): number | undefined {
  const [, sign, degrees, minutes = '0', seconds = '0', reference = ''] =
    COORDINATE.exec(text?.slice(0, 80) ?? '') ?? [];
  if (degrees === undefined) return undefined;
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3_600;
  const direction = reference || (sign === '' ? beside.trim().slice(0, 1) : '');
  return sign === '-' || /[sw]/i.test(direction) ? -value : value;
}

function isWide(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe;
}

class XmpReader {
  readonly properties = new Map<string, string[]>();
  #depth = 0;
  #values = 0;
  #property: string | null = null;
  #isDefault = false;
  #text = '';
  /** The usual prefixes by those of the packet. For each element, those outside it. */
  #prefixes: ReadonlyMap<string, string> = new Map();
  readonly #outside: ReadonlyMap<string, string>[] = [];

  open(written: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Enough();
    this.#declare(attributes);
    const name = this.#usual(written);
    if (name === 'rdf:Description') {
      for (const [key, value] of Object.entries(attributes)) {
        const property = this.#usual(key);
        if (WANTED.has(property)) this.#add(property, value);
      }
    } else if (WANTED.has(name)) this.#property = name;
    this.#text = '';
    this.#isDefault = attributes['xml:lang'] === 'x-default';
  }

  close(written: string): void {
    this.#depth -= 1;
    const name = this.#usual(written);
    this.#prefixes = this.#outside.pop() ?? this.#prefixes;
    if (this.#property === null) return;
    if (name === 'rdf:li' || name === this.#property) this.#add(this.#property, this.#text);
    if (name === this.#property) this.#property = null;
    this.#text = '';
  }

  take(text: string): void {
    if (this.#property !== null && this.#text.length < MAX_VALUE) this.#text += text;
  }

  /** Namespaces in XML 1.0, 3 and 6.1. */
  #declare(attributes: Readonly<Record<string, string>>): void {
    this.#outside.push(this.#prefixes);
    const declared = Object.entries(attributes).flatMap(([key, uri]) => {
      const usual = PREFIXES.get(uri);
      return key.startsWith('xmlns:') && usual !== undefined ? [[key.slice('xmlns:'.length), usual] as const] : [];
    });
    if (declared.length > 0) this.#prefixes = new Map([...this.#prefixes, ...declared]);
  }

  #usual(name: string): string {
    const colon = name.indexOf(':');
    return `${this.#prefixes.get(name.slice(0, colon)) ?? name.slice(0, colon)}${name.slice(colon)}`;
  }

  #add(property: string, text: string): void {
    const value = text.trim().slice(0, MAX_VALUE);
    if (value === '') return;
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw new Enough();
    const values = this.properties.get(property) ?? [];
    if (this.#isDefault) values.unshift(value);
    else values.push(value);
    this.properties.set(property, values);
  }
}
