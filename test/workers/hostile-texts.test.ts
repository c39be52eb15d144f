import { once } from 'node:events';
import { open, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inheritFile } from '../../dist/server/storage/content/inherited-file.js';
import { buildPackedZip } from '../support/content/build-zip.ts';
import { documents, docx, opendocument, xlsx } from '../support/content/documents.ts';
import { makePdf } from '../support/content/make-pdf.ts';
import { sampled } from '../support/forms.ts';
import { isAlive, outcomeOf } from './support.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

const words = (extension: string, content: Uint8Array | string) => reading.words(extension, content);

describe('a decompression bomb', () => {
  it('of blanks is refused at the limit', async () => {
    const blanks = Buffer.alloc(200 * 1024 * 1024, ' ');
    const bomb = buildPackedZip([{ name: 'word/document.xml', content: blanks }]);
    expect(bomb.length).toBeLessThan(300_000);
    expect(await outcomeOf(words('docx', bomb))).toBe('too_large');
  });

  it('of text is cut like any other text', async () => {
    const body = `<w:p><w:t>${'bomb '.repeat(20_000_000)}</w:t></w:p>`;
    const found = await words('docx', docx(body));
    expect(found.length).toBeGreaterThan(990_000);
    expect(new Set(found.split(' '))).toEqual(new Set(['bomb', found.slice(found.lastIndexOf(' ') + 1)]));
  });

  it('of documents in a document is read up to one limit in total', async () => {
    const blanks = Buffer.alloc(100 * 1024 * 1024, ' ');
    const inner = buildPackedZip([{ name: 'word/document.xml', content: blanks }]);
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const chunks = Array.from(
      { length: 200 },
      (_, i) => `<Relationship Id="c${i}" Type="${type}/aFChunk" Target="c${i % 2}"/>`,
    );
    const bomb = buildPackedZip([
      {
        name: '_rels/.rels',
        content: `<Relationships><Relationship Id="m" Type="${type}/officeDocument" Target="word/d.xml"/></Relationships>`,
      },
      { name: 'word/d.xml', content: '<w:p><w:t>body</w:t></w:p>' },
      { name: 'word/_rels/d.xml.rels', content: `<Relationships>${chunks.join('')}</Relationships>` },
      { name: 'word/c0', content: inner },
      { name: 'word/c1', content: Buffer.alloc(20 * 1024 * 1024, 'x ') },
    ]);
    expect(await words('docx', bomb)).toBe('body');
    expect(isAlive(reading.pids.at(-1) ?? 0)).toBe(true);
  });

  it('with too many parts is refused', async () => {
    const parts = Array.from({ length: 30_000 }, (_, index) => ({ name: `word/header${index}.xml`, content: '' }));
    expect(await outcomeOf(words('docx', buildPackedZip(parts)))).toBe('too_large');
  });

  it('with a huge tag or a huge table of contents is refused', async () => {
    const tag = `<w:p w:x="${'x'.repeat(150 * 1024 * 1024)}`;
    expect(await outcomeOf(words('docx', docx(tag)))).toBe('too_large');
    const container = `<container>${' '.repeat(10_000_000)}</container>`;
    const book = buildPackedZip([{ name: 'META-INF/container.xml', content: container }]);
    expect(await outcomeOf(words('epub', book))).toBe('too_large');
  });
});

describe('signs of an old encoding without end', () => {
  const MEGABYTES = 4_000_000;
  const filled = (sign: string) => Buffer.alloc(MEGABYTES, Buffer.from(sign, 'latin1'));
  const head = 'Subject: note\nContent-Type: text/plain; format=flowed; delsp=yes\n\n';

  it.each([
    ['escape sequences of Japanese', 'txt', filled('\x1b$A')],
    ['escape sequences and shifts', 'txt', filled('\x1b$B\x1b.A\x1bNi')],
    ['one other set of Japanese', 'txt', Buffer.concat([Buffer.from('\x1b$(D'), filled('0!')])],
    ['announcements of Korean', 'txt', filled('\x1b$)C\n\x0e')],
    ['beginnings of HZ', 'txt', filled('~{<:')],
    ['damages', 'txt', filled('\xc3\xa9\xff')],
    ['beginnings of files', 'eml', Buffer.concat([Buffer.from(head), filled('begin 644 a\n')])],
    ['beginnings of files without line ends', 'eml', Buffer.concat([Buffer.from(head), filled('begin 644 a\r')])],
    ['lines of one file', 'eml', Buffer.concat([Buffer.from(`${head}begin 644 a\n`), filled('#86)C\n')])],
    ['broken lines', 'eml', Buffer.concat([Buffer.from(head), filled('> a \n')])],
    ['a value in base64', 'vcf', Buffer.concat([Buffer.from('BEGIN:VCARD\nNOTE;BASE64:'), filled('AAAA\n ')])],
  ] as const)('do not end the worker: %s', async (_what, extension, content) => {
    expect(['done', 'unsupported']).toContain(await outcomeOf(words(extension, content)));
    expect(isAlive(reading.pids.at(-1) ?? 0)).toBe(true);
    expect(await words('txt', 'next')).toBe('next');
  });
});

describe('a reference in a document', () => {
  it('is never resolved: no entity, no file, no address', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end('fetched');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const laughs = Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "&l${i};&l${i};">`).join('');
    const entities = `<!DOCTYPE x [<!ENTITY l0 "laugh">${laughs}<!ENTITY file SYSTEM "file:///etc/hostname">
      <!ENTITY web SYSTEM "http://127.0.0.1:${port}/"> <!ENTITY % all SYSTEM "http://127.0.0.1:${port}/dtd"> %all;]>`;
    const text = 'before &l30; &file; &web; after';
    const document = buildPackedZip([
      { name: 'word/document.xml', content: `<?xml version="1.0"?>${entities}<w:p><w:t>${text}</w:t></w:p>` },
    ]);
    expect(await words('docx', document)).toBe('before l30 file web after');
    const page = `${entities}<link rel="stylesheet" href="http://127.0.0.1:${port}/a"><img src="http://127.0.0.1:${port}/b"><p>${text}`;
    // A page of HTML has no declarations: what is between them is shown.
    expect(await words('html', page)).toBe('all before l30 file web after');
    await words('fb2', `<?xml version="1.0"?>${entities}<p>${text}</p>`);
    server.close();
    expect(requests).toBe(0);
  });

  it('is not a path: names of parts do not open other files', async () => {
    const names = ['../../../../etc/passwd', '/etc/hostname', 'C:\\x', 'word/document.xml\0', 'C:word\\document.xml'];
    const parts = names.map((name) => ({ name, content: 'x' }));
    expect(await outcomeOf(words('docx', buildPackedZip(parts)))).toBe('unsupported');
    const document = { name: 'word/document.xml', content: '<w:t>found</w:t>' };
    const second = { name: 'word/document.xml', content: '<w:t>second</w:t>' };
    expect(await words('docx', buildPackedZip([...parts, document, second]))).toBe('found');
  });
});

describe('nesting', () => {
  it.each([
    ['docx', docx('<w:p>'.repeat(2_000_000))],
    ['odt', opendocument('text', '<text:p>'.repeat(2_000_000))],
    ['xlsx', xlsx(['<t>'.repeat(2_000_000)], '')],
    ['html', Buffer.from('<svg><title>'.repeat(1_000_000))],
    ['html', Buffer.from('<form><p>'.repeat(1_000_000))],
    ['fb2', Buffer.from('<a>'.repeat(3_000_000))],
    ['pdf', Buffer.from(`%PDF-1.4\n1 0 obj\n${'['.repeat(2_000_000)}\nendobj\ntrailer\n<< /Root 1 0 R >>`)],
  ])('of extreme depth in %s does not end the worker', async (kind, content) => {
    expect(['done', 'corrupt']).toContain(await outcomeOf(words(kind, content)));
    expect(isAlive(reading.pids.at(-1) ?? 0)).toBe(true);
  });

  it('of PDF pages in a circle, or a false page count, does not block the reader', async () => {
    const pdf = makePdf([['one']]).toString('latin1');
    const outcomes = ['done', 'corrupt'];
    const circle = pdf.replace('/Kids [4 0 R]', '/Kids [2 0 R]');
    const many = pdf.replace('/Count 1', '/Count 999999999');
    for (const changed of [circle, many]) {
      expect(outcomes).toContain(await outcomeOf(words('pdf', Buffer.from(changed, 'latin1'))));
    }
  });
});

it.each(sampled(Object.keys(documents), 3))(
  'a %s that is cut at any place is read, or refused with a known reason',
  async (kind) => {
    const whole = documents[kind] ?? Buffer.alloc(0);
    for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 25)) {
      expect(['done', 'corrupt', 'unsupported']).toContain(await outcomeOf(words(kind, whole.subarray(0, length))));
    }
  },
);

describe('the file that is passed to a worker', () => {
  it('is the one that was opened, regardless of what has its name now', async () => {
    const path = join(reading.folder, 'swapped.txt');
    await writeFile(path, 'mine');
    const handle = await open(path);
    await writeFile(`${path}.new`, 'theirs');
    const opened = { fd: handle.fd, parents: [], entry: { name: 'swapped.txt' } };
    const file = inheritFile(
      { root: reading.folder, homeId: '' },
      opened as unknown as Parameters<typeof inheritFile>[1],
    );
    await rename(`${path}.new`, path);
    const outcome = await reading.run(file).catch((error: Error) => error.message);
    const isHeld = process.platform === 'linux';
    expect(outcome).toBe(isHeld ? 'mine' : 'another file has taken its place, or it has changed');
    // By its name alone it is not taken for the other one.
    expect(await outcomeOf(reading.run({ ...file, paths: file.paths.slice(-1) }))).toBe('gone');
    await handle.close();
  });

  it('is not read if it changed, was deleted, or is not a regular file', async () => {
    const path = join(reading.folder, 'changed.txt');
    await writeFile(path, 'first');
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    const known = { paths: [path], identity: `${ino}.${size}.${mtimeNs}` };
    expect(await reading.run(known)).toBe('first');
    // Where the better path leads nowhere, as in a process that hides its descriptors, the name does.
    expect(await reading.run({ ...known, paths: ['/proc/1/fd/99999', path] })).toBe('first');
    expect(await outcomeOf(reading.run({ ...known, paths: [`${path}.gone`, reading.folder] }))).toBe('gone');
    await writeFile(path, 'second');
    expect(await outcomeOf(reading.run(known))).toBe('gone');
  });
});
