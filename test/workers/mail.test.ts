import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encode } from '../support/content/encode.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

const mail = (...parts: (Uint8Array | string)[]) =>
  reading.words('eml', Buffer.concat(parts.map((part) => Buffer.from(part as string))));

describe('the subject of a message', () => {
  it.each([
    ['=?utf-8?B?R3LD?=\r\n =?utf-8?B?tsOfZQ==?=', 'grosse'],
    ['=?utf-8?B?R3L?= =?utf-8?B?DtsOfZQ==?=', 'grosse'],
    ['=?UTF-8?q?Gr=C3?= =?utf-8*de?Q?=B6=C3=9Fe?=', 'grosse'],
    ['=?shift_jis?B?k/o=?= =?shift_jis?B?lg==?= =?shift_jis?B?ew==?=', '日 本'],
    ['=?utf-8?q?Stra=C3=9Fe?= =?iso-8859-1?q?_M=FCnchen?=', 'strasse munchen'],
    ['Re: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\taus =?utf-8?q?K=C3=B6ln?=', 're grusse aus koln'],
    ['=?utf-8?Q?Wirklich?_Ja??= =?utf-8?q?_nein?=', 'wirklich ja nein'],
    ['=?x-unknown?q?Gr=C3=B6=C3=9Fe?= =?iso-2022-jp-ms?B?GyRCQEE1YT1xGyhC?=', 'grosse 請 求 書'],
  ])('is decoded, also if a letter is split between encoded words: %s', async (subject, words) => {
    expect(await mail(`Subject: ${subject}\r\n\r\n`)).toBe(words);
  });

  it.each([
    ['UTF-8', Buffer.from('Größe'), '', 'grosse'],
    ['the charset of the text', encode('Счёт', 'koi8-r'), 'Content-Type: text/plain; charset=koi8-r\r\n', 'счет'],
    ['detected bytes', encode('Счёт за электричество', 'windows-1251'), '', 'счет за электричество'],
    ['ISO-2022-JP', Buffer.from('\x1b$B@A5a=q\x1b(B'), '', '請 求 書'],
    ['Latin-1, as its last letter', encode('Menu du café', 'windows-1252'), '', 'menu du cafe'],
    [
      'the stated charset, as its last letter',
      encode('À Noël à', 'windows-1252'),
      'Content-Type: text/plain; charset=iso-8859-1\r\n',
      'a noel a',
    ],
    ['UTF-8, with its last letter cut', Buffer.from('Größe für é').subarray(0, -1), '', 'grosse fur'],
  ])('can be unencoded, in %s', async (_what, subject, more, words) => {
    expect(await mail('Subject: ', subject, `\r\n${more}\r\n`)).toBe(words);
  });
});

describe('the name of an attachment', () => {
  it.each([
    ["filename*0*=utf-8'de'Gr%C3;\r\n filename*1*=%B6%C3%9Fe; filename*2=.pdf", 'grosse pdf'],
    ['filename*1="zwei.pdf"; filename*0="eins "', 'eins zwei pdf'],
    ["filename*=iso-8859-1''M%FCller%20%26.pdf; filename=wrong.pdf", 'muller pdf'],
    ['filename="a \\"b\\"; c.pdf"', 'a b c pdf'],
    ['filename="=?utf-8?B?R3LD?= =?utf-8?B?tsOfZQ==?="', 'grosse'],
    ['filename=Meine Datei.pdf; size=5', 'meine datei pdf'],
  ])('can have segments, a charset and quotes: %s', async (parameters, words) => {
    expect(
      await mail(`X: y\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; ${parameters}\r\n\r\n`),
    ).toBe(words);
  });
});

/** Little-endian. */
const utf32 = (text: string) =>
  Buffer.concat(
    [...text].map((char) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(char.codePointAt(0) ?? 0);
      return bytes;
    }),
  );

/** As Python's `uu` writes it. */
const uuencoded = (name: string, content: Uint8Array, zero = ' ') => {
  const lines: string[] = [];
  for (let at = 0; at < content.length; at += 45) {
    const piece = Buffer.from(content.subarray(at, at + 45));
    const whole = Buffer.concat([piece, Buffer.alloc((3 - (piece.length % 3)) % 3)]);
    let line = String.fromCharCode(32 + piece.length);
    for (let i = 0; i < whole.length; i += 3) {
      const bits = whole.readUIntBE(i, 3);
      for (const shift of [18, 12, 6, 0]) line += String.fromCharCode(32 + ((bits >> shift) & 63)).replace(' ', zero);
    }
    lines.push(line);
  }
  return ['begin 644 '.concat(name), ...lines, zero, 'end', ''].join('\r\n');
};

describe('a file that is uuencoded', () => {
  const picture = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7) & 255));

  it('has a name, and is no text', async () => {
    const text = `before\r\n${uuencoded('my photo.jpg', picture)}behind`;
    expect(await mail('Subject: one\r\n\r\n', text)).toBe('one before behind my photo jpg');
  });

  it.each(['`', ' '])('is read if it is a text, with %j for zero', async (zero) => {
    const note = uuencoded('Einkauf.TXT', Buffer.from('Grüße, und bitte Milch mitbringen '.repeat(3)), zero);
    expect(await mail('Subject: one\r\n\r\n', `before\r\n${note}`)).toBe(
      `one before einkauf txt${' grusse und bitte milch mitbringen'.repeat(3)}`,
    );
  });

  it.each([
    ['24&QU;7,L(#,*4&5A<G,L(#0*', 'plums 3 pears 4'],
    ['!80', 'a'],
  ])('is read as Python writes it, also if the blanks of a line got lost: %s', async (line, words) => {
    const file = ['begin 666 b.csv', line, '`', 'end'].join('\n');
    expect(await mail('Subject: one\n\n', file)).toBe(`one b csv ${words}`);
  });

  it('may be cut, or several', async () => {
    const whole = uuencoded('a.bin', picture);
    expect(await mail('Subject: one\r\n\r\n', whole, whole.replace('a.bin', 'b.bin').slice(0, 200))).toMatch(
      /^one a bin b bin/,
    );
  });

  it('can be a part of its own', async () => {
    const head = 'Content-Type: text/plain\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\n';
    expect(await mail(head, uuencoded('x', Buffer.from('Grüße')))).toBe('grusse');
  });

  it.each([
    'begin 644 the day with tea\r\nthen work',
    'begin 644 x',
    'begin 644 with joy\r\nSHALL WE GO?\r\nYES, 3 PM\r\nOK',
    'begin 100 push-ups a day\r\n\r\n\r\nthen rest',
    'begin 644 x\r\nTHIS LINE IS IN CAPITALS AND LONG ENOUGH FOR A LINE OF SUCH A FILE\r\nOK',
  ])('is none if no such lines follow: %j', async (text) => {
    const words = await mail('Subject: one\r\n\r\n', text);
    const written = text.toLowerCase().match(/\w+/g) ?? [];
    expect(words.split(' ')).toEqual(['one', ...written]);
  });

  it('is none if a part only claims to be one', async () => {
    const head = 'Content-Type: text/plain\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\n';
    expect(await mail(head, 'plain words')).toBe('plain words');
  });
});

describe('the texts of a message', () => {
  it('are separated correctly if one boundary is a prefix of another', async () => {
    const inner = '--B2\r\n\r\nplain\r\n--B2\r\n\r\nrich\r\n--B2--\r\n';
    expect(
      await mail(
        'Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: multipart/alternative; boundary=B2\r\n\r\n',
        `${inner}--B\r\n\r\nlast\r\n--B--\r\n`,
      ),
    ).toBe('plain rich last');
  });

  it('can be messages in a digest, also encoded as a whole', async () => {
    const message = Buffer.from('Subject: second\r\n\r\nletter').toString('base64');
    expect(
      await mail(
        'Content-Type: multipart/digest; boundary=B\r\n\r\n--B\r\n\r\nSubject: first\r\n\r\nletter\r\n--B\r\n',
        `Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${message}\r\n--B--`,
      ),
    ).toBe('first letter second letter');
  });

  it.each(['message/rfc822', 'message/global'])('can be a message as %s', async (type) => {
    const inner = 'Subject: Grüße\r\n\r\nletter';
    expect(await mail(`Subject: outer\r\nContent-Type: ${type}\r\n\r\n`, inner)).toBe('outer grusse letter');
  });

  it('can have the line ends of old Macs', async () => {
    expect(await mail('From: Ann\rSubject: Plums\r\r', 'ripe\rnow')).toBe('plums ann ripe now');
  });

  it.each([
    ['us-ascii', Buffer.from('Größe'), 'grosse'],
    ['cp1252', Buffer.from('Gr\xf6\xdfe', 'latin1'), 'grosse'],
    ['cp949', encode('전기', 'euc-kr'), '전기'],
    ['utf-7', Buffer.from('Gr+APYA3w-e'), 'grosse'],
    ['iso-2022-kr', Buffer.from('\x1b$)C\r\n\x0e@|1b\x0f bill \x0e@|1b\r\nend', 'latin1'), '전기 bill 전기 end'],
    ['hz-gb-2312', Buffer.from('~{<:Ky2;S{~} ~~ bill~\n~{<:Ky2;S{~}'), '己 所 不 欲 bill 己 所 不 欲'],
  ])('are decoded with the charset that they state, if it exists: %s', async (charset, bytes, words) => {
    expect(await mail(`Content-Type: text/plain; charset="${charset}"\r\n\r\n`, bytes)).toBe(words);
  });

  it.each([
    ['utf-16le', Buffer.from('電気料金', 'utf16le')],
    ['utf-16be', Buffer.from('電気料金', 'utf16le').swap16()],
    ['utf-16', Buffer.from('\ufeff電気料金', 'utf16le')],
    ['utf-16', Buffer.from('電気 料金', 'utf16le')],
    ['utf-32le', utf32('電気料金')],
    ['utf-32', utf32('\ufeff電気料金')],
    ['utf-32be', Buffer.from(utf32('電気料金')).swap32()],
  ])('can be in %s', async (charset, bytes) => {
    const head = `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
    const part = `--B\r\n${head}${bytes.toString('base64')}\r\n--B--\r\n`;
    expect(await mail(`Content-Type: multipart/mixed; boundary=B\r\n\r\n${part}`)).toBe('電 気 料 金');
  });

  it('that only claim to be UTF-16 are read', async () => {
    expect(await mail('Content-Type: text/plain; charset=utf-16\r\n\r\n', 'Grüße')).toBe('grusse');
  });

  it.each([
    ['DelSp=yes', 'Haus \r\ntür und \r\n  Garten', 'haustur und garten'],
    ['delsp="Yes"', '> Haus \r\n> tür\r\n>> offen \r\nzu', 'haustur offen zu'],
    ['DelSp=yes', 'Gruß\r\n-- \r\nAnn', 'gruss ann'],
    ['DelSp=no', 'Haus \r\ntür', 'haus tur'],
    ['x=y', 'Haus \r\ntür', 'haus tur'],
  ])('are joined again where a program broke their lines: %s, %j', async (parameters, text, words) => {
    expect(await mail(`Content-Type: text/plain; charset=utf-8; format=Flowed; ${parameters}\r\n\r\n${text}`)).toBe(
      words,
    );
  });

  it('continue after a line that only starts like the boundary', async () => {
    const head = 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\n';
    expect(await mail(head, 'before\r\n--abc\r\nbehind\r\n--a--\r\nnothing')).toBe('before abc behind');
  });

  it('include those of invitations', async () => {
    expect(await mail('Content-Type: text/calendar\r\n\r\n', 'SUMMARY:Dinner')).toBe('summary dinner');
    const event = 'BEGIN:VEVENT\r\nSUMMARY:Zahn\r\n arzt\r\nLOCATION:Caf\xe9\r\nEND:VEVENT\r\n';
    const header = 'Content-Type: text/calendar; method=REQUEST; charset=iso-8859-1\r\n\r\n';
    expect(await mail(header, Buffer.from(event, 'latin1'))).toBe('zahnarzt cafe');
    expect(await mail('Content-Type: text/x-vcard\r\n\r\n', 'BEGIN:VCARD\r\nFN:Jo\r\n sé\r\nEND:VCARD')).toBe('jose');
  });

  it.each(['', 'text', 'plain', 'text / plain', ' Text/Plain ;charset=utf-8', '; charset=utf-8', 'multipart/mixed'])(
    'are read although the type is unusual: "%s"',
    async (type) => {
      expect(await mail(`Subject: one\r\nContent-Type: ${type}\r\n\r\n`, 'Grüße')).toBe('one grusse');
    },
  );

  it('are read although the boundary lines are missing', async () => {
    expect(await mail('Content-Type: multipart/mixed; boundary=B\r\n\r\n', 'only this')).toBe('only this');
  });

  it('are joined from several encoded words in ISO-2022-JP', async () => {
    const one = Buffer.from('\x1b$BEE5$\x1b(B', 'latin1').toString('base64');
    expect(await mail(`Subject: =?iso-2022-jp?B?${one}?= =?iso-2022-jp?B?${one}?=\r\n\r\n`)).toBe('電 気 電 気');
  });

  it('are read behind extremely long headers', async () => {
    const subject = '=?utf-8?q?a? '.repeat(500_000);
    expect((await mail(`Subject: ${subject}\r\n\r\nend`)).endsWith(' end')).toBe(true);
    const parameters = ';filename*1="\\'.repeat(500_000);
    expect(await mail(`X: y\r\nContent-Disposition: attachment${parameters}\r\n\r\nend`)).toBe('end');
  });
});
