import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZip, DEFLATED } from '../support/content/build-zip.ts';
import { itInFull } from '../support/forms.ts';
import { blackPng, svg } from './mutations/corpus.ts';
import { outcomeOf } from './support.ts';
import { fixture, looksLike, openThumbnailPool, thumbnailOf } from './thumbnail-support.ts';

const pool = openThumbnailPool({ workers: 1, deadline: 10_000 });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

async function outcome(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return outcomeOf(thumbnailOf(pool, path));
}

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

describe('malicious pictures', () => {
  it('are refused by their number of pixels, before decoding', async () => {
    expect(await outcome('huge.png', blackPng(30_000, 30_000))).toBe('too_large');
    expect(await outcome('huge.svg', `<svg ${SVG} width="100000" height="100000"></svg>`)).toBe('too_large');
    expect(await outcome('wide.svg', `<svg ${SVG} width="1" height="99999999"></svg>`)).not.toBe('done');
  });

  it('load nothing from the network, the disk or neighbouring files', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await writeFile(
      join(folder, 'secret.png'),
      await sharp({ create: { width: 64, height: 64, channels: 3, background: '#f00' } })
        .png()
        .toBuffer(),
    );
    try {
      await outcome('network.svg', svg(address));
      for (const href of ['secret.png', `file://${folder}/secret.png`, `${folder}/secret.png`, './secret.png']) {
        const path = join(folder, 'beside.svg');
        await writeFile(
          path,
          `<svg ${SVG} width="64" height="64"><image href="${href}" xlink:href="${href}" width="64" height="64"/></svg>`,
        );
        const made = await thumbnailOf(pool, path).catch(() => null);
        if (made !== null) expect(await looksLike(made), href).toContain('white white white white');
      }
      // What an entity would bring in would be drawn as text.
      const entity = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg ${SVG} width="64" height="64"><text y="9">&x;</text></svg>`;
      const path = join(folder, 'entity.svg');
      await writeFile(path, entity);
      const drawn = await thumbnailOf(pool, path).catch(() => null);
      if (drawn !== null) expect((await sharp(drawn).stats()).channels[0]?.min).toBeGreaterThan(250);
      expect(asked).toEqual([]);
    } finally {
      server.close();
    }
  });

  it('that refer to themselves end at their deadline', async () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) => `<g id="g${level + 1}">${`<use href="#g${level}" xlink:href="#g${level}"/>`.repeat(10)}</g>`,
    );
    const bomb = `<svg ${SVG} width="64" height="64"><defs><rect id="g0" width="9" height="9"/>${levels.join('')}</defs><use href="#g30" xlink:href="#g30"/></svg>`;
    const entities = Array.from({ length: 12 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`);
    const laughs = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e0 "ha">${entities.join('')}]><svg ${SVG} width="9" height="9"><text>&e12;</text></svg>`;
    // They would take years: that they end is enough.
    expect(await outcome('bomb.svg', bomb)).not.toBe('done');
    expect(await outcome('laughs.svg', laughs)).not.toBe('done');
    expect(await looksLike(await thumbnailOf(pool, fixture('pictures/plain.jpg')))).toContain('red green');
  });

  it('are read by their real type: no drawing is read as a photo, and no document as a drawing', async () => {
    const drawing = `<svg ${SVG} width="64" height="64"><rect width="64" height="64"/></svg>`;
    expect(await outcome('drawing.jpg', drawing)).toBe('unsupported');
    expect(await outcome('page.svg', '<!doctype html><html><body>words</body></html>')).toBe('unsupported');
    expect(await outcome('page.pdf', '<!doctype html><html><body>words</body></html>')).toBe('unsupported');
    expect(await outcome('empty.svg', '')).not.toBe('done');
    for (const name of [
      'a.jpg',
      'a.heic',
      'a.dng',
      'a.cr3',
      'a.raf',
      'a.mp3',
      'a.epub',
      'a.docx',
      'a.odt',
      'a.cbz',
      'a.pdf',
      'a.svg',
    ]) {
      expect(await outcome(name, Buffer.from('no picture at all, whatever its name says')), name).toMatch(
        /^(?:unsupported|corrupt)$/,
      );
    }
  });

  it('in a PDF with scripts are drawn without executing them', async () => {
    expect(await looksLike(await thumbnailOf(pool, fixture('documents/javascript.pdf')))).toContain(
      'blue blue blue blue',
    );
  });

  itInFull('in an archive are limited in size, and have safe paths', async () => {
    const bomb = buildZip([
      { name: 'docProps/thumbnail.jpeg', content: Buffer.alloc(200 * 1024 * 1024), method: DEFLATED },
    ]);
    expect(await outcome('bomb.docx', bomb)).toBe('too_large');
    const wrong = buildZip([{ name: '../page.jpg', content: Buffer.from('x') }]);
    expect(await outcome('wrong.cbz', wrong)).toMatch(/^(?:unsupported|corrupt)$/);
  });

  it('with circular directories are read in finite time', async () => {
    // One directory that names itself as the next, and as its own subdirectory.
    const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4);
    tiff.write('II', 0, 'latin1');
    tiff.writeUInt16LE(42, 2);
    tiff.writeUInt32LE(8, 4);
    tiff.writeUInt16LE(2, 8);
    for (const [index, [tag, value]] of [
      [330, 8],
      [273, 0xffffffff],
    ].entries()) {
      tiff.writeUInt16LE(tag ?? 0, 10 + index * 12);
      tiff.writeUInt16LE(4, 12 + index * 12);
      tiff.writeUInt32LE(index === 0 ? 1 : 0xffffffff, 14 + index * 12);
      tiff.writeUInt32LE(value ?? 0, 18 + index * 12);
    }
    tiff.writeUInt32LE(8, 34);
    expect(await outcome('circle.nef', tiff)).toBe('unsupported');
  });

  it('that take too much memory or time fail without harm to others', async () => {
    const small = openThumbnailPool({ workers: 1, residentBytes: 60 * 1024 * 1024 });
    const hasty = openThumbnailPool({ workers: 1, deadline: 1 });
    try {
      expect(await outcomeOf(thumbnailOf(hasty, fixture('pictures/telephone.heic')))).toBe('timeout');
      expect(await outcomeOf(thumbnailOf(small, fixture('documents/libreoffice.pdf')))).toBe('too_large');
    } finally {
      await Promise.all([small.close(), hasty.close()]);
    }
  });
});
