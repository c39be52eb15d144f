import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** The padding of the standard security handler (ISO 32000-1, algorithm 2). */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

interface PdfOptions {
  readonly isCompressed?: boolean;
  /** The password to open it; encrypted with 40-bit RC4. */
  readonly password?: string;
  /** Whether the cross-reference table is invalid. */
  readonly isBroken?: boolean;
  /** A predefined character map and its collection: the lines are in its encoding, with bytes as Latin-1 characters. */
  readonly characters?: { readonly map: string; readonly ordering: string };
  /** A script that runs when it is opened. */
  readonly script?: string;
}

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();

/** RC4, which current libraries no longer support. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  let j = 0;
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let i = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let i = 0;
  j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + (state[i] ?? 0)) & 255;
      swap(i, j);
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
    }),
  );
}

/** A PDF with a page for every list of lines. Latin letters only. */
export function makePdf(pages: readonly (readonly string[])[], options: PdfOptions = {}): Buffer {
  const { isCompressed = false, password, isBroken = false, script, characters } = options;
  const id = Buffer.from('0123456789abcdef');
  const secret = password === undefined ? null : security(password, id);
  const objects: Buffer[] = [];
  const add = (content: string | Buffer) => objects.push(Buffer.from(content as string, 'latin1'));
  const pageNumber = (index: number) => 4 + 2 * index;
  const action =
    script === undefined ? '' : ` /OpenAction << /S /JavaScript /JS (${script.replace(/[\\()]/g, '\\$&')}) >>`;
  add(`<< /Type /Catalog /Pages 2 0 R${action} >>`);
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${pageNumber(i)} 0 R`).join(' ')}] >>`);
  add(
    characters === undefined
      ? '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'
      : `<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /${characters.map} /DescendantFonts [<< /Type /Font
         /Subtype /CIDFontType0 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (${characters.ordering})
         /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Any /Flags 4 >> >>] >>`,
  );
  for (const [index, lines] of pages.entries()) {
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${pageNumber(index) + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
    const plain = Buffer.from(`BT /F1 12 Tf 14 TL 50 750 Td\n${shown}\nET`, 'latin1');
    const packed = isCompressed ? deflateSync(plain) : plain;
    const data = secret === null ? packed : rc4(secret.keyOf(pageNumber(index) + 1), packed);
    const filter = isCompressed ? ' /Filter /FlateDecode' : '';
    add(
      Buffer.concat([Buffer.from(`<< /Length ${data.length}${filter} >>\nstream\n`), data, Buffer.from('\nendstream')]),
    );
  }
  if (secret !== null) {
    const { owner, user } = secret;
    add(`<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P -4 >>`);
  }
  return assemble(objects, { id, isEncrypted: secret !== null, isBroken });
}

function assemble(
  objects: readonly Buffer[],
  { id, isEncrypted, isBroken }: { id: Buffer; isEncrypted: boolean; isBroken: boolean },
): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(length());
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
  }
  const start = length();
  const rows = offsets.map((offset) => `${String(isBroken ? 7 : offset).padStart(10, '0')} 00000 n \n`).join('');
  const encrypt = isEncrypted ? ` /Encrypt ${objects.length} 0 R` : '';
  const ids = `/ID [<${id.toString('hex')}> <${id.toString('hex')}>]`;
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${ids}${encrypt} >>\nstartxref\n${isBroken ? 99_999_999 : start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Revision 2 of the standard security handler (ISO 32000-1, 7.6.3): keys of five bytes. */
function security(password: string, id: Buffer) {
  const padded = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), PADDING]).subarray(0, 32);
  const owner = rc4(md5(padded('owner')).subarray(0, 5), padded(password));
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(padded(password), owner, permissions, id).subarray(0, 5);
  return {
    owner,
    user: rc4(key, PADDING),
    /** @param object its number */
    keyOf: (object: number) => md5(key, Buffer.from([object & 255, object >> 8, 0, 0, 0])).subarray(0, 10),
  };
}
