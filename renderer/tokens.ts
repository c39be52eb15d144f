/** The design tokens of everything that Larder shows; `web-client/styles/base/tokens.css` has the same for the pages. */

interface Shades {
  readonly light: string;
  readonly dark: string;
}

const shades = (light: string, dark: string): Shades => ({ light, dark });

/** By their names in CSS, where each is `--larder-<name>`. */
export const colors = {
  canvas: shades('#f5f4f0', '#111310'),
  surface: shades('#ffffff', '#1c1f1b'),
  sunken: shades('#eceae4', '#0e100d'),
  niche: shades('#eceae3', '#181c17'),
  input: shades('#ffffff', '#0e100d'),
  line: shades('#e1ded6', '#2e332d'),
  line2: shades('#cfcbc0', '#424841'),
  edge: shades('#87847a', '#737a70'),
  ink: shades('#1c211d', '#eceee8'),
  ink2: shades('#474d47', '#bcc1b8'),
  ink3: shades('#63685f', '#a0a69c'),
  bay: shades('#1f5a43', '#86c8a6'),
  'on-bay': shades('#ffffff', '#0c1c14'),
  'bay-hover': shades('#184a37', '#9ad4b6'),
  'bay-soft': shades('#e2ede5', '#1f3229'),
  good: shades('#17633a', '#7fce97'),
  'good-soft': shades('#e1f1e5', '#182e20'),
  care: shades('#744700', '#e9ba61'),
  'care-soft': shades('#fbf0d5', '#33280f'),
  danger: shades('#9c231c', '#f4998f'),
  'on-danger': shades('#ffffff', '#2a0a07'),
  'danger-soft': shades('#fbe9e6', '#3a1d1a'),
  info: shades('#27507a', '#97c1e4'),
  'info-soft': shades('#e6eef6', '#1a2936'),
  quince: shades('#e2a72e', '#e8b84a'),
  'good-dot': shades('#2e9b5c', '#5dbe80'),
  'care-dot': shades('#bf830e', '#e0a93f'),
  /** Avatar colours: letter and background. */
  damson: shades('#5b2f63', '#dab6de'),
  'damson-soft': shades('#f0e3f0', '#3a2640'),
  slate: shades('#27507a', '#97c1e4'),
  'slate-soft': shades('#e3ecf5', '#1a2936'),
  clay: shades('#743c15', '#eab48a'),
  'clay-soft': shades('#f7e7db', '#3a2615'),
  /** For charts, in this order. */
  'bay-bar': shades('#2f7d5b', '#86c8a6'),
  'slate-bar': shades('#3f73a8', '#8db6dd'),
  'clay-bar': shades('#b5652f', '#e09a6a'),
  'damson-bar': shades('#7b4b80', '#c79bcb'),
  'quince-bar': shades('#c28a14', '#e8b84a'),
  stone: shades('#8a877c', '#9a9f95'),
  /** Behind a dialog. */
  backdrop: shades('rgb(28 33 29 / 0.42)', 'rgb(5 6 5 / 0.66)'),
  /** Under the pointer. */
  hover: shades('rgb(28 33 29 / 0.045)', 'rgb(236 238 232 / 0.05)'),
} as const satisfies Record<string, Shades>;

export const shadows = {
  card: shades('0 1px 2px rgb(28 33 29 / 0.04), 0 12px 32px -16px rgb(28 33 29 / 0.16)', 'none'),
  dialog: shades('0 2px 6px rgb(28 33 29 / 0.06), 0 24px 64px -16px rgb(28 33 29 / 0.32)', 'none'),
} as const satisfies Record<string, Shades>;

export const fonts = {
  text: '-apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "Helvetica Neue", Arial, sans-serif',
  mono: 'ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace',
};

/** From light to dark, ten each, as Mantine requires. */
export const scales = {
  bay: [
    ...['#F0F6F2', '#E2EDE5', '#C5DCCE', '#A3C9B4', '#86C8A6'],
    ...['#5DA883', '#3B8A66', '#2F7D5B', '#1F5A43', '#184A37'],
  ],
  gray: [
    ...['#F5F4F0', '#ECEAE4', '#E1DED6', '#CFCBC0', '#B1AEA4'],
    ...['#87847A', '#63685F', '#474D47', '#2F352F', '#1C211D'],
  ],
  dark: [
    ...['#ECEEE8', '#BCC1B8', '#A0A69C', '#737A70', '#424841'],
    ...['#2E332D', '#1C1F1B', '#111310', '#0E100D', '#090A08'],
  ],
} as const;

/** Every colour and shadow of one appearance, as CSS variables. */
export function cssVariables(appearance: keyof Shades): Record<`--larder-${string}`, string> {
  const named = { ...colors, 'shadow-card': shadows.card, 'shadow-dialog': shadows.dialog };
  return Object.fromEntries(Object.entries(named).map(([name, of]) => [`--larder-${name}`, of[appearance]]));
}
