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
