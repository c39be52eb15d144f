import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { colors, cssVariables, fonts, scales, shadows } from '../../../dist/renderer-modules/tokens.js';

const css = readFileSync(new URL('../../../web-client/styles/base/tokens.css', import.meta.url), 'utf8');

/** The variables of one `:root`, their names without dashes. */
function variablesIn(block: string): Map<string, string> {
  const found = [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)];
  return new Map(found.map(([, name = '', value = '']) => [name, value.replace(/\s+/g, ' ').trim()]));
}

const [, light = '', dark = ''] =
  /^:root \{(.*?)\n\}.*?prefers-color-scheme: dark\) \{\s*:root \{(.*?)\n {2}\}/s.exec(css) ?? [];
const pages = { light: variablesIn(light), dark: variablesIn(dark) };

type Appearance = keyof typeof pages;
type Token = keyof typeof colors;

const APPEARANCES: readonly Appearance[] = ['light', 'dark'];

describe('the pages and the panel', () => {
  it.each(APPEARANCES)('have the same colours in %s', (appearance) => {
    const shared = [...pages[appearance]].filter(([, value]) => value.startsWith('#'));
    expect(shared.length).toBeGreaterThan(30);
    const ours = cssVariables(appearance);
    expect(Object.fromEntries(shared)).toEqual(
      Object.fromEntries(shared.map(([name]) => [name, ours[`--larder-${name}`]])),
    );
    const input = /^var\(--(\w+)\)$/.exec(pages[appearance].get('input') ?? '')?.[1];
    expect(colors.input[appearance]).toBe(colors[input as Token][appearance]);
  });

  it('have the same fonts and the same shadow', () => {
    expect(pages.light.get('text')).toBe(fonts.text);
    expect(pages.light.get('mono')).toBe(fonts.mono);
    for (const appearance of APPEARANCES) expect(pages[appearance].get('shadow')).toBe(shadows.card[appearance]);
  });
});

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(color: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

const rounded = (ratio: number) => Math.round(ratio * 10) / 10;

/** On canvas, surface and sunken: in light, then in dark. */
const RATIOS: readonly [Token, readonly number[], readonly number[]][] = [
  ['edge', [3.4, 3.7, 3.1], [4.2, 3.8, 4.3]],
  ['ink', [14.9, 16.3, 13.6], [16.0, 14.2, 16.3]],
  ['ink2', [7.9, 8.7, 7.2], [10.2, 9.1, 10.4]],
  ['ink3', [5.2, 5.7, 4.7], [7.5, 6.7, 7.7]],
  ['bay', [7.3, 8.1, 6.7], [9.6, 8.6, 9.9]],
  ['good', [6.6, 7.3, 6.1], [9.9, 8.9, 10.2]],
  ['care', [7.2, 7.9, 6.6], [10.4, 9.2, 10.6]],
  ['danger', [7.1, 7.9, 6.5], [8.7, 7.8, 8.9]],
  ['info', [7.6, 8.4, 6.9], [9.8, 8.8, 10.1]],
];

/** One token on another: in light, in dark. */
const PAIRS: readonly [Token, Token, number, number][] = [
  ['on-bay', 'bay', 8.1, 9.1],
  ['on-bay', 'bay-hover', 10.1, 10.5],
  ['bay', 'bay-soft', 6.7, 7.0],
  ['on-danger', 'danger', 7.9, 8.6],
];

describe('contrast', () => {
  it.each(RATIOS)('of %s equals the measured value', (token, inLight, inDark) => {
    const measured = (appearance: Appearance) =>
      (['canvas', 'surface', 'sunken'] as const).map((ground) =>
        rounded(contrast(colors[token][appearance], colors[ground][appearance])),
      );
    expect({ light: measured('light'), dark: measured('dark') }).toEqual({ light: inLight, dark: inDark });
  });

  it.each(PAIRS)('of %s on %s equals the measured value', (token, ground, inLight, inDark) => {
    const measured = APPEARANCES.map((appearance) =>
      rounded(contrast(colors[token][appearance], colors[ground][appearance])),
    );
    expect(measured).toEqual([inLight, inDark]);
  });

  it.each(APPEARANCES)('is sufficient for text on its soft background, and for bars and dots, in %s', (appearance) => {
    const of = (one: Token, other: Token) => contrast(colors[one][appearance], colors[other][appearance]);
    for (const name of ['bay', 'good', 'care', 'danger', 'info', 'damson', 'slate', 'clay'] as const) {
      expect(of(name, `${name}-soft`), name).toBeGreaterThanOrEqual(4.5);
      expect(of('ink', `${name}-soft`), `ink on ${name}-soft`).toBeGreaterThanOrEqual(7);
    }
    for (const name of ['bay-bar', 'slate-bar', 'clay-bar', 'damson-bar', 'stone', 'good-dot', 'care-dot'] as const) {
      expect(of(name, 'surface'), name).toBeGreaterThanOrEqual(3);
    }
  });
});

it('gives the component library ten shades of each colour, which equal the tokens it uses', () => {
  for (const [name, steps] of Object.entries(scales)) expect(steps, name).toHaveLength(10);
  const same = (one: string | undefined, other: string) => expect(one?.toLowerCase()).toBe(other);
  same(scales.bay[8], colors.bay.light);
  same(scales.bay[4], colors.bay.dark);
  same(scales.gray[0], colors.canvas.light);
  same(scales.gray[9], colors.ink.light);
  same(scales.dark[6], colors.surface.dark);
  same(scales.dark[7], colors.canvas.dark);
  same(scales.dark[0], colors.ink.dark);
});
