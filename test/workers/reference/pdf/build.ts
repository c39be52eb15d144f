import { deflateSync } from 'node:zlib';

// Small PDFs (ISO 32000-1), written by hand: the text of a page, in the fonts and structures of many programs.

/** The bytes of an object, without its number. */
type Body = Buffer | string;

const bytesOf = (body: Body) => Buffer.from(body as string);

export const FILTERS = {
  none: { name: '', encode: (data: Buffer) => data },
  flate: { name: '/FlateDecode', encode: (data: Buffer) => deflateSync(data) },
  hex: { name: '/ASCIIHexDecode', encode: (data: Buffer) => Buffer.from(`${data.toString('hex')}>`) },
  ascii85: { name: '/ASCII85Decode', encode: ascii85 },
  runs: { name: '/RunLengthDecode', encode: runs },
  chain: { name: '[/ASCIIHexDecode/FlateDecode]', encode: (data: Buffer) => FILTERS.hex.encode(deflateSync(data)) },
} as const;

function ascii85(data: Buffer): Buffer {
  let text = '';
  for (let at = 0; at < data.length; at += 4) {
    const part = data.subarray(at, at + 4);
    let value = Buffer.concat([part, Buffer.alloc(4 - part.length)]).readUInt32BE();
    const digits = Array.from({ length: 5 }, () => {
      const digit = value % 85;
      value = Math.floor(value / 85);
      return String.fromCharCode(33 + digit);
    }).reverse();
    text += digits.slice(0, part.length + 1).join('');
  }
  return Buffer.from(`${text}~>`);
}

function runs(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += 128) {
    const part = data.subarray(at, at + 128);
    parts.push(Buffer.from([part.length - 1]), part);
  }
  return Buffer.concat([...parts, Buffer.from([128])]);
}

export function stream(data: Body, filter: keyof typeof FILTERS = 'none', entries = ''): Buffer {
  const { name, encode } = FILTERS[filter];
  const content = encode(bytesOf(data));
  const head = `<<${entries}/Length ${content.length}${name === '' ? '' : `/Filter${name}`}>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')]);
}

export interface Written {
  /** `streams`: objects and their table in compressed streams (7.5.7 and 7.5.8); `broken`: a table with wrong offsets. */
  readonly table?: 'plain' | 'streams' | 'broken' | 'missing';
  /** What stands before the signature. */
  readonly before?: string;
  /** Objects of an update, by their numbers (7.5.6). */
  readonly update?: ReadonlyMap<number, Body>;
}

const ten = (value: number) => String(value).padStart(10, '0');

/** @param objects the first has the number 1, and is the catalog */
export function write(objects: readonly Body[], { table = 'plain', before = '', update }: Written = {}): Buffer {
  if (table === 'streams') return writeStreams(objects);
  const parts: Buffer[] = [Buffer.from(`${before}%PDF-1.7\n%\xe2\xe3\xcf\xd3\n`, 'latin1')];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  const object = (number: number, body: Body) => {
    const offset = length() - before.length;
    parts.push(Buffer.from(`${number} 0 obj\n`), bytesOf(body), Buffer.from('\nendobj\n'));
    return offset + (table === 'broken' ? 7 : 0);
  };
  const offsets = objects.map((body, index) => object(index + 1, body));
  const trailer = (size: number, start: number, entries = '') =>
    Buffer.from(`trailer\n<</Size ${size}/Root 1 0 R${entries}>>\nstartxref\n${start}\n%%EOF\n`);
  let start = length() - before.length;
  const size = objects.length + 1;
  if (table === 'missing') return Buffer.concat([...parts, Buffer.from(`trailer\n<</Size ${size}/Root 1 0 R>>\n`)]);
  const rows = offsets.map((offset) => `${ten(offset)} 00000 n \n`).join('');
  parts.push(Buffer.from(`xref\n0 ${size}\n${ten(0)} 65535 f \n${rows}`), trailer(size, start));
  if (update !== undefined) {
    const changed = [...update].map(([number, body]) => [number, object(number, body)] as const);
    const previous = start;
    start = length() - before.length;
    const sections = changed.map(([number, offset]) => `${number} 1\n${ten(offset)} 00000 n \n`).join('');
    parts.push(Buffer.from(`xref\n${sections}`), trailer(size, start, `/Prev ${previous}`));
  }
  return Buffer.concat(parts);
}

function writeStreams(objects: readonly Body[]): Buffer {
  const isStream = (body: Body) => bytesOf(body).includes('stream\n');
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  const holder = objects.length + 1;
  const rows: (readonly [type: number, first: number, second: number])[] = [[0, 0, 65_535]];
  const inside: { number: number; body: Buffer }[] = [];
  for (const [index, body] of objects.entries()) {
    if (isStream(body)) {
      rows.push([1, length(), 0]);
      parts.push(Buffer.from(`${index + 1} 0 obj\n`), bytesOf(body), Buffer.from('\nendobj\n'));
    } else {
      rows.push([2, holder, inside.length]);
      inside.push({ number: index + 1, body: bytesOf(body) });
    }
  }
  let at = 0;
  const index = inside.map(({ number, body }) => {
    const pair = `${number} ${at}`;
    at += body.length + 1;
    return pair;
  });
  const head = Buffer.from(`${index.join(' ')}\n`);
  const content = Buffer.concat([head, ...inside.flatMap(({ body }) => [body, Buffer.from('\n')])]);
  rows.push([1, length(), 0]);
  const held = stream(content, 'flate', `/Type/ObjStm/N ${inside.length}/First ${head.length}`);
  parts.push(Buffer.from(`${holder} 0 obj\n`), held, Buffer.from('\nendobj\n'));
  const start = length();
  rows.push([1, start, 0]);
  const table = Buffer.concat(
    rows.map(([type, first, second]) => {
      const row = Buffer.alloc(7);
      row.writeUInt8(type, 0);
      row.writeUInt32BE(first, 1);
      row.writeUInt16BE(second, 5);
      return row;
    }),
  );
  const entries = `/Type/XRef/Size ${holder + 2}/W[1 4 2]/Root 1 0 R`;
  parts.push(Buffer.from(`${holder + 1} 0 obj\n`), stream(table, 'flate', entries));
  return Buffer.concat([...parts, Buffer.from(`\nendobj\nstartxref\n${start}\n%%EOF\n`)]);
}

export interface Page {
  readonly content: Body;
  /** By their names in the content: the body of each font, which may refer to further objects by `#0`, `#1` and so on. */
  readonly fonts?: Readonly<Record<string, string>>;
  /** Objects that fonts and annotations refer to. */
  readonly further?: readonly Body[];
  readonly filter?: keyof typeof FILTERS;
  /** Further entries of the page, and of its resources. */
  readonly entries?: string;
  readonly resources?: string;
  /** Further entries of the catalog. */
  readonly catalog?: string;
}

const FIRST_FURTHER = 5;

/** The objects of a document with one page. */
export function onePage(page: Page): Body[] {
  const {
    content,
    fonts = { F: HELVETICA },
    further = [],
    filter = 'none',
    entries = '',
    resources = '',
    catalog = '',
  } = page;
  const resolved = (text: string) => text.replaceAll(/#(\d+)/g, (_, number) => `${FIRST_FURTHER + Number(number)} 0 R`);
  const named = Object.entries(fonts).map(([name, body]) => `/${name} ${resolved(body)}`);
  return [
    `<</Type/Catalog/Pages 2 0 R${resolved(catalog)}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<<${named.join('')}>>${resolved(resources)}>>${resolved(entries)}>>`,
    stream(content, filter),
    ...further.map((body) => (typeof body === 'string' ? resolved(body) : body)),
  ];
}

export const HELVETICA = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';

/** A string of the content, in hexadecimal digits. */
export const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString('hex')}>`;

/** Lines, one below the other. @param lines in the syntax of strings */
export function lines(...texts: readonly string[]): string {
  return `BT /F 12 Tf 50 780 Td 14 TL ${texts.map((text) => `${text} Tj T*`).join(' ')} ET`;
}

/** The map of a font from its codes to Unicode (9.10.3). @param codes by characters, of two bytes */
export function toUnicode(codes: ReadonlyMap<string, number>, form: 'chars' | 'ranges' | 'list'): string {
  const code = (value: number) => `<${value.toString(16).padStart(4, '0')}>`;
  const text = (characters: string) => `<${Buffer.from(characters, 'utf16le').swap16().toString('hex')}>`;
  const all = [...codes].sort(([, a], [, b]) => a - b);
  const rows =
    form === 'chars'
      ? `${all.length} beginbfchar\n${all.map(([characters, value]) => `${code(value)}${text(characters)}`).join('\n')}\nendbfchar`
      : form === 'ranges'
        ? `${all.length} beginbfrange\n${all.map(([characters, value]) => `${code(value)}${code(value)}${text(characters)}`).join('\n')}\nendbfrange`
        : `1 beginbfrange\n${code(all[0]?.[1] ?? 0)}${code(all.at(-1)?.[1] ?? 0)}[${all.map(([characters]) => text(characters)).join('')}]\nendbfrange`;
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <0000><ffff> endcodespacerange ${rows} endcmap end end`;
}
