import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encode } from '../support/content/encode.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

const base64 = (text: string) => Buffer.from(text).toString('base64');

const file = (kind: string, version: string, lines: readonly (Uint8Array | string)[]) =>
  Buffer.concat(
    [`BEGIN:${kind}`, `VERSION:${version}`, ...lines, `END:${kind}`].flatMap((line) => [
      Buffer.from(line as string),
      Buffer.from('\r\n'),
    ]),
  );
const calendar = (...lines: (Uint8Array | string)[]) => reading.words('ics', file('VCALENDAR', '2.0', lines));
const contact = (version: string, ...lines: (Uint8Array | string)[]) =>
  reading.words('vcf', file('VCARD', version, lines));

describe('a calendar', () => {
  it.each([
    ['SUMMARY:Zahn\r\n arzt', 'zahnarzt'],
    ['SUMMARY:Zahn\r\n\t arzt', 'zahn arzt'],
    ['SUMMARY;LANGUAGE=de:Eins\\, zwei\\; drei\\nvier\\\\f', 'eins zwei drei vier f'],
    ['ATTENDEE;CN="Müller, Anna";ROLE=CHAIR:mailto:anna@example.org', 'mailto anna example org muller anna'],
    ["ATTENDEE;CN=George ^'Babe^' Ruth:mailto:g@example.org", 'mailto g example org george babe ruth'],
    ['X-A;LABEL="one^ntwo^^three^four":x', 'x one two three four'],
    ['ATTACH;ENCODING=BASE64;VALUE=BINARY:c2VjcmV0', ''],
    ['ATTACH;FMTTYPE=text/plain;ENCODING=BASE64:c2VjcmV0', ''],
    ['DESCRIPTION;ENCODING=BASE64;VALUE=BINARY:c2VjcmV0', ''],
    ['X-A;X="a:b;c":value', 'value'],
  ])('yields its visible words: %j', async (line, found) => {
    expect(await calendar(line)).toBe(found);
  });

  it('can have lines that are folded within a character', async () => {
    const [before, after] = [Buffer.from('SUMMARY:Gr\xc3', 'latin1'), Buffer.from(' \xb6\xc3\x9fe', 'latin1')];
    expect(await calendar(before, after)).toBe('grosse');
  });
});

describe('a contact', () => {
  it.each([
    ['4.0', 'FN:Mül\r\n ler', 'muller'],
    ['3.0', 'item1.ADR;TYPE=home:;;Haupt\r\n straße 5;Köln', 'hauptstrasse 5 koln'],
    ['2.1', 'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Gr=C3=\r\n=B6=C3=9Fe', 'grosse'],
    ['2.1', 'NOTE;QUOTED-PRINTABLE;CHARSET=windows-1251:=D1=F7=B8=F2', 'счет'],
    ['2.1', 'NOTE:eins\r\n zwei', 'eins zwei'],
    ['2.1', `NOTE;ENCODING=BASE64;CHARSET=UTF-8:\r\n ${base64('Grüße aus')}\r\n\r\nFN:Ann`, 'grusse aus ann'],
    ['2.1', `FN;BASE64;CHARSET=windows-1251:${encode('Счёт', 'windows-1251').toString('base64')}`, 'счет'],
    ['3.0', `ADR;ENCODING=b:${base64(';;Hauptstraße 5')}`, 'hauptstrasse 5'],
    ['2.1', `KEY;ENCODING=BASE64:${base64('secret')}\r\nFN:Ann`, 'ann'],
    ['3.0', 'PHOTO;ENCODING=b;TYPE=JPEG:c2Vj\r\n cmV0\r\nFN:Ann', 'ann'],
    ['4.0', 'PHOTO:data:image/jpeg;base64,c2VjcmV0\r\nFN:Ann', 'ann'],
  ])('of version %s yields its visible words: %j', async (version, line, found) => {
    expect(await contact(version, line)).toBe(found);
  });

  it.each([
    ['shift_jis', encode('表示する名前', 'shift_jis'), '表 示 す る 名 前'],
    ['ISO-2022-JP', Buffer.from('\x1b$B@A5a=q\x1b(B'), '請 求 書'],
  ])('is decoded with the encoding that it states: %s', async (charset, value, found) => {
    expect(await contact('2.1', Buffer.concat([Buffer.from(`FN;CHARSET=${charset}:`), value]))).toBe(found);
  });

  it('can have values in two encodings, of which it states none', async () => {
    const latin1 = Buffer.from('NOTE:Stra\xdfe', 'latin1');
    expect(await contact('3.0', 'FN:Grüße', latin1, 'ORG:Café')).toBe('grusse cafe strasse');
  });

  it('is read although a zero byte got into it, and a text in a parameter looks like an encoding', async () => {
    const name = Buffer.concat([Buffer.from('FN;CHARSET=windows-1252:M'), Buffer.from([0xfc]), Buffer.from('ller')]);
    expect(await contact('2.1', name, Buffer.from('X-A:\0'))).toBe('muller');
    expect(await contact('3.0', 'ADR;LABEL="x;B;y":;;Street')).toBe('street x b y');
  });

  it('can be in an encoding that it does not state', async () => {
    expect(await contact('2.1', encode('FN:Счёт за электричество', 'windows-1251'))).toBe('счет за электричество');
    for (const name of ['Größe', '電気料金']) {
      const unmarked = Buffer.from(`BEGIN:VCARD\r\nFN:${name}\r\nEND:VCARD\r\n`, 'utf16le');
      const expected = await reading.words('txt', name);
      expect(await reading.words('vcf', unmarked)).toBe(expected);
      expect(await reading.words('vcf', unmarked.swap16())).toBe(expected);
    }
    const utf16 = Buffer.from('\ufeffBEGIN:VCARD\r\nFN:Grö\r\n ße\r\nEND:VCARD', 'utf16le');
    expect(await reading.words('vcf', utf16)).toBe('grosse');
  });

  it('that is not a vCard is read as plain text', async () => {
    expect(await reading.words('vcf', 'only called so')).toBe('only called so');
  });
});
