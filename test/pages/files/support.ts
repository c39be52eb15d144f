import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { bidiIsolate } from '../../../dist/server/lib/text/bidi-isolate.js';
import { t } from '../../../dist/server/messages/messages.js';
import { type Visit, visit } from '../../support/browser/page.ts';
import { type Household, OWNER } from '../../support/households/household.ts';
import { MEMBER } from '../../support/households/member.ts';

export const address = (household: Household, path = '/files/') => `https://127.0.0.1:${household.port}${path}`;

export async function signInAt(page: Page, username = OWNER.username, password = OWNER.password): Promise<void> {
  await page.getByLabel(t('signIn.username')).fill(username);
  await page.getByLabel(t('signIn.password')).fill(password);
  await page.getByRole('button', { name: t('uploads.signIn') }).click();
}

/** The script has taken the page over: keys and menus are there. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.files[data-ready]').waitFor();
}

/** The page after the sign-in form is there: taken over by the script, or as it came where none runs. */
export async function shown(
  page: Page,
  { javaScriptEnabled = true }: { javaScriptEnabled?: boolean | undefined } = {},
) {
  await page.locator(javaScriptEnabled ? '.files[data-ready]' : '.files').waitFor();
  // The list begins before its last entry has come.
  await page.waitForLoadState('domcontentloaded');
}

/**
 * Opens a page of the files in a window of its own and signs in there.
 * @param who the owner if there is no name; otherwise the password is that of members
 */
export async function enterAt(
  { browser, household }: { readonly browser: Browser; readonly household: Household },
  path: string,
  {
    username,
    password,
    ...options
  }: BrowserContextOptions & { username?: string | undefined; password?: string | undefined } = {},
): Promise<Visit> {
  const visited = await visit(browser, options);
  await visited.page.goto(address(household, path));
  await signInAt(visited.page, username, password ?? (username === undefined ? undefined : MEMBER.password));
  await shown(visited.page, options);
  return visited;
}

/** Puts files into a home as other programs do. @param files contents by their paths */
export async function fillHome(home: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), content);
  }
}

/** The entries on the page, by their names, from top to bottom. */
export function names(page: Page): Promise<string[]> {
  return page.locator('.items .name').allTextContents();
}

/** The row of an entry. A long name is in parts, which are shortened. */
export const row = (page: Page, name: string) =>
  page.locator('.items .item').filter({
    has: page
      .locator('.name')
      .filter({ hasText: new RegExp(`^${bidiIsolate(name).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) }),
  });

/** What the message at the foot of the page says. */
export async function toast(page: Page, text: string): Promise<void> {
  await page.locator('.toast').filter({ hasText: text }).last().waitFor();
}

/** As the content of a dropped file: the browser cannot read it. */
export const UNREADABLE = 'unreadable';

/**
 * Drops files of a browser's own making, with the ways that folders give them.
 * @param files contents by names; of folders, the same of what is in them
 * @param target by default the page itself
 */
export async function dropFiles(
  page: Page,
  files: Record<string, unknown>,
  target = page.locator('body'),
): Promise<void> {
  const element = await target.elementHandle();
  await page.evaluate(
    ([files, UNREADABLE, element]) => {
      type Inner = string | { readonly [name: string]: Inner };
      const entry = (name: string, inner: Inner): unknown => {
        if (typeof inner !== 'string') {
          let isRead = false;
          const readEntries = (done: (entries: unknown[]) => void) => {
            done(isRead ? [] : Object.entries(inner).map(([one, further]) => entry(one, further)));
            isRead = true;
          };
          return { name, isFile: false, createReader: () => ({ readEntries }) };
        }
        const file = (done: (file: File) => void, failed: (error: Error) => void) =>
          inner === UNREADABLE
            ? failed(new DOMException('gone', 'NotFoundError'))
            : done(new File([inner], name, { lastModified: 1e12 }));
        return { name, isFile: true, file };
      };
      const items = Object.entries(files as Record<string, Inner>).map(([name, inner]) => ({
        webkitGetAsEntry: () => entry(name, inner),
      }));
      const event = new Event('drop', { bubbles: true, cancelable: true });
      Object.assign(event, { dataTransfer: { types: ['Files'], items } });
      (element as { dispatchEvent(event: Event): boolean }).dispatchEvent(event);
    },
    [files, UNREADABLE, element] as const,
  );
}

const SCENES = [
  ['#5f93c4', '#c9dcec', '#3d6b57'],
  ['#2f9fb0', '#e6d3a8', '#bfa06a'],
  ['#4a2a63', '#7a4a8c', '#2b1740'],
  ['#d98a4a', '#7b4b80', '#3a2450'],
  ['#8fae5d', '#b9d3ef', '#5b7f3a'],
  ['#1d2a4d', '#33406b', '#0f1730'],
];

/** A picture of a landscape, different for every number. */
export function picture(number: number, width = 900, height = 600): Promise<Buffer> {
  const [sky = '', light = '', land = ''] = SCENES[number % SCENES.length] ?? [];
  const hill = height * (0.5 + (number % 5) * 0.06);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky}"/><stop offset="1" stop-color="${light}"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/><circle cx="${width * (0.2 + (number % 4) * 0.2)}" cy="${height * 0.28}" r="${height * 0.08}" fill="#fff5d8"/><path d="M0 ${hill}Q${width * 0.3} ${hill - height * 0.2} ${width * 0.55} ${hill}T${width} ${hill - 30}V${height}H0z" fill="${land}"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 70 }).toBuffer();
}

/** What an ordinary home looks like. */
export async function sampleHome(home: string): Promise<void> {
  const photos: Record<string, Buffer> = {};
  const shapes: [number, number][] = [
    [900, 600],
    [900, 600],
    [600, 600],
    [1200, 600],
    [600, 800],
  ];
  for (let number = 1; number <= 14; number += 1) {
    const [width, height] = shapes[number % shapes.length] ?? [900, 600];
    photos[`Photos/Summer at the lake/Lake ${String(number).padStart(2, '0')}.jpg`] = await picture(
      number,
      width,
      height,
    );
  }
  await fillHome(home, {
    ...photos,
    'Photos/Summer at the lake/Boat trip/one.jpg': await picture(3),
    'Photos/Summer at the lake/Village fair/two.jpg': await picture(4),
    'Photos/Summer at the lake/What we packed.txt': 'Tent\nStove\nThe blue lamp\n',
    'Documents/Rental contract.pdf': Buffer.alloc(231_000),
    'Music/Orchard song.mp3': Buffer.alloc(4_800_000),
    'School/Essay.docx': Buffer.alloc(48_000),
    'Gran’s recipes.pdf': Buffer.alloc(3_300_000),
    'Household budget.xlsx': Buffer.alloc(86_000),
    'Plum jam.txt':
      'Plum jam\n========\n\n2 kg plums, ripe but firm\n1.4 kg sugar\n2 lemons\n\nHalve the plums and take out the stones.\n',
    'Whole afternoon.mp4': Buffer.alloc(1_400_000),
    'Scans 2024.zip': Buffer.alloc(9_200_000),
    'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz – Entwurf mit allen Anmerkungen der zweiten Lesung.odt':
      Buffer.alloc(70_000),
  });
}

/** What a page says, without its secrets: in random letters every short word stands sooner or later. */
export const withoutTokens = (content: string) => content.replaceAll(/[\w-]{40,}/g, '');
