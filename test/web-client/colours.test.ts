import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CANVAS } from '../../dist/server/web/shell/layout.js';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

type Colours = ReadonlyMap<string, { readonly light: string; readonly dark: string | undefined }>;

async function ofPanel(): Promise<Colours> {
  const entries = (await read('renderer/tokens.ts')).matchAll(/^ {2}'?([\w-]+)'?: shades\('([^']+)', '([^']+)'\)/gm);
  return new Map([...entries].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]));
}

async function ofPages(): Promise<Colours> {
  const text = await read('web-client/styles/base/tokens.css');
  const [light = '', dark = ''] = text.split('@media (prefers-color-scheme: dark)');
  const named = (part: string) =>
    new Map([...part.matchAll(/--([\w-]+): (#[0-9a-f]+);/g)].map(([, name = '', value = '']) => [name, value]));
  const inDark = named(dark);
  return new Map([...named(light)].map(([name, value]) => [name, { light: value, dark: inDark.get(name) }]));
}

it('pages have the colours of the panel', async () => {
  const [pages, panel] = await Promise.all([ofPages(), ofPanel()]);
  expect(pages.size).toBeGreaterThan(25);
  for (const [name, shades] of pages) expect([name, shades]).toEqual([name, panel.get(name)]);
});

it('the background is the same around pages and in mail', async () => {
  const { light, dark } = (await ofPages()).get('canvas') ?? {};
  expect(CANVAS).toEqual({ light, dark });
  const mail = await read('server/mail/message.ts');
  expect(mail).toContain(`background:${light}`);
  expect(mail).toContain(`background: ${dark} `);
});
