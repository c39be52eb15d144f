import { encode } from '../../../support/content/encode.ts';

/** How a program writes lines. */
interface Writing {
  /** Octets of a line before it is folded; null for long lines. */
  readonly fold: number | null;
  readonly end: string;
  readonly spell: (name: string) => string;
}

const WRITINGS: readonly Writing[] = [
  { fold: 75, end: '\r\n', spell: (name) => name },
  { fold: null, end: '\n', spell: (name) => name },
  { fold: 40, end: '\r\n', spell: (name) => name.toLowerCase() },
];

const TEXTS = [
  'Hausrat und Haftpflicht',
  'Größe, Maß; Straße',
  'Crème brûlée à emporter',
  'Счёт за электричество',
  'Ελληνικά γράμματα',
  'naïve Ørsted Łódź',
  'one\\two 100% "quoted" a:b',
  'A long sentence about the washing machine, its invoice of 2019, and the guarantee that nobody has found until now',
  'first line\nsecond line\n\nfourth line',
  'كتاب جديد',
];

/** RFC 6350 §3.4, RFC 5545 §3.3.11. */
function escaped(text: string): string {
  return text.replace(/[\\,;]/g, '\\$&').replaceAll('\n', '\\n');
}

/** Like programs for vCard 2.1, of which some take a bare comma for the end of a value. */
function separated(text: string): string {
  return text.replace(/[,;]/g, '\\$&');
}

/** Folds by octets without dividing a character. */
function folded(line: string, { fold, end }: Writing): string {
  if (fold === null) return line;
  const parts: string[] = [];
  let part = '';
  for (const char of line) {
    if (Buffer.byteLength(part + char) > fold - (parts.length === 0 ? 0 : 1)) {
      parts.push(part);
      part = '';
    }
    part += char;
  }
  return [...parts, part].join(`${end} `);
}

function written(lines: readonly string[], writing: Writing): string {
  const spelled = lines.map((line) => line.replace(/^[\w.-]+/, writing.spell));
  return `${spelled.map((line) => folded(line, writing)).join(writing.end)}${writing.end}`;
}

/** RFC 2045 §6.7, with lines of up to 70 characters. */
function quotedPrintable(text: string, end: string): string {
  const units = [...Buffer.from(text.replaceAll('\n', '\r\n'))].map((byte) =>
    (byte >= 33 && byte <= 126 && byte !== 61) || byte === 32
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  );
  const lines = [''];
  for (const unit of units) {
    const last = lines.at(-1) ?? '';
    if (last.length + unit.length > 70) lines.push(unit);
    else lines[lines.length - 1] = last + unit;
  }
  return lines.join(`=${end}`);
}

const at = (index: number) => TEXTS[index % TEXTS.length] ?? '';

/** Properties of the versions 3.0 and 4.0, as different programs write them. */
const CARDS: readonly ((index: number) => readonly string[])[] = [
  (index) => [`FN:${escaped(at(index))}`, `N:${escaped(at(index + 1))};${escaped(at(index))};;Dr.;`],
  (index) => [
    `FN:Anna ${index}`,
    `N:Müller;Anna;Maria,Luise;;`,
    `ORG:${escaped(at(index))};Department ${index}`,
    `TITLE:${escaped(at(index + 2))}`,
  ],
  (index) => [
    `FN:Ben ${index}`,
    'N:Ben;;;;',
    `NOTE;LANGUAGE=de:${escaped(at(index))}`,
    `ADR;TYPE=home:;;Hauptstraße ${index};Köln;;5066${index};Deutschland`,
  ],
  (index) => [
    `FN:Gran ${index}`,
    'N:Gran;;;;',
    `item1.EMAIL;TYPE=INTERNET:gran${index}@example.org`,
    `item1.X-ABLabel:${escaped(at(index))}`,
    'TEL;TYPE=CELL,VOICE:+49 170 1234567',
    `CATEGORIES:Family,${escaped(at(index + 3))}`,
  ],
  (index) => [
    `FN:Mia ${index}`,
    'N:Mia;;;;',
    'PHOTO;ENCODING=b;TYPE=JPEG:c2VjcmV0IGJ5dGVz',
    `NICKNAME:${escaped(at(index))}`,
    'URL:https://example.org/mia',
  ],
];

/** Properties of vCard 2.1, where values have encodings of their own. */
const OLD_CARDS: readonly ((index: number, end: string) => readonly string[])[] = [
  (index, end) => [
    'N:Weber;Karl;;;',
    'FN:Karl Weber',
    `NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${quotedPrintable(separated(at(index)), end)}`,
  ],
  (index, end) => [
    `N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${quotedPrintable('Großmann', end)};Jürgen`,
    'FN:J',
    `TITLE;QUOTED-PRINTABLE;CHARSET=UTF-8:${quotedPrintable(separated(at(index)), end)}`,
    'TEL;HOME;VOICE:030 123456',
  ],
];

/** Components of a calendar. */
const EVENTS: readonly ((index: number) => readonly string[])[] = [
  (index) => [
    'BEGIN:VEVENT',
    `UID:event${index}@example.org`,
    'DTSTAMP:20240101T000000Z',
    'DTSTART:20240102T090000Z',
    `SUMMARY:${escaped(at(index))}`,
    `DESCRIPTION;LANGUAGE=en:${escaped(at(index + 1))}`,
    `LOCATION:${escaped(at(index + 2))}`,
    'END:VEVENT',
  ],
  (index) => [
    'BEGIN:VEVENT',
    `UID:${index}`,
    'DTSTAMP:20240101T000000Z',
    'DTSTART;TZID=Europe/Berlin:20240102T090000',
    'ORGANIZER;CN="Weber, Karl: chair":mailto:karl@example.org',
    `ATTENDEE;CN=Müller Anna;PARTSTAT=ACCEPTED:mailto:anna${index}@example.org`,
    `SUMMARY:${escaped(at(index))}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT15M',
    `DESCRIPTION:${escaped(at(index + 4))}`,
    'END:VALARM',
    'END:VEVENT',
  ],
  (index) => [
    'BEGIN:VTODO',
    `UID:todo${index}`,
    'DTSTAMP:20240101T000000Z',
    `SUMMARY:${escaped(at(index))}`,
    `CATEGORIES:Home,${escaped(at(index + 5))}`,
    'STATUS:NEEDS-ACTION',
    'END:VTODO',
  ],
  (index) => [
    'BEGIN:VJOURNAL',
    `UID:journal${index}`,
    'DTSTAMP:20240101T000000Z',
    `SUMMARY:${escaped(at(index))}`,
    `COMMENT:${escaped(at(index + 6))}`,
    `X-WR-NOTE;X-PLACE="a;b:c":${escaped(at(index + 1))}`,
    'END:VJOURNAL',
  ],
];

/** Small contacts and calendars, each with a version, a kind of properties, and a way to write lines. */
export function contactsAndEvents(): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const numbers = [...TEXTS.keys()];
  for (const [way, writing] of WRITINGS.entries()) {
    const number = (kind: number, index: number) => `${way}-${kind}-${index}`;
    for (const index of numbers) {
      for (const [kind, properties] of CARDS.entries()) {
        if ((index + kind + way) % 2 === 1) continue;
        const version = index % 4 === 0 ? '4.0' : '3.0';
        const lines = ['BEGIN:VCARD', `VERSION:${version}`, ...properties(index), 'END:VCARD'];
        files.set(`card-${number(kind, index)}.vcf`, Buffer.from(written(lines, writing)));
      }
      for (const [kind, properties] of OLD_CARDS.entries()) {
        const lines = ['BEGIN:VCARD', 'VERSION:2.1', ...properties(index, writing.end), 'END:VCARD'];
        files.set(`old-${number(kind, index)}.vcf`, Buffer.from(written(lines, { ...writing, fold: null })));
      }
      for (const [kind, component] of EVENTS.entries()) {
        const lines = [
          ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example//EN'],
          ...component(index),
          'END:VCALENDAR',
        ];
        files.set(`event-${number(kind, index)}.ics`, Buffer.from(written(lines, writing)));
      }
    }
  }
  for (const [index, charset] of ['windows-1252', 'ISO-8859-1', 'windows-1251', 'shift_jis'].entries()) {
    const text = ['Grüße aus Köln', 'Crème brûlée', 'Счёт за газ', '請求書の写し'][index] ?? '';
    const head = Buffer.from(`BEGIN:VCARD\r\nVERSION:2.1\r\nN:K;L\r\nFN:L\r\nNOTE;CHARSET=${charset}:`);
    files.set(`charset-${index}.vcf`, Buffer.concat([head, encode(text, charset), Buffer.from('\r\nEND:VCARD\r\n')]));
  }
  return files;
}
