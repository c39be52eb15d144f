import { type Html, html } from './html.ts';

export interface PageParts {
  readonly title: string;
  readonly household: string;
  /** Where styles and pictures are, without a slash at the end. */
  readonly assets: string;
  readonly card: Html;
  /** What stands at the foot of the page: the address, so that people learn which one is theirs. */
  readonly foot: string;
  readonly script?: string;
}

/** One card in the niche: sign-in, set-up, and whatever says one thing. */
export function cardPage({ title, household, assets, card, foot, script }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${assets}/pages.css">
<link rel="icon" href="${assets}/app-icon.svg" type="image/svg+xml">
${script === undefined ? '' : html`<script type="module" src="${assets}/${script}"></script>`}
</head>
<body>
<div class="niche">
<header><picture><source srcset="${assets}/mark-dark.svg" media="(prefers-color-scheme: dark)"><img src="${assets}/mark-light.svg" alt=""></picture><span>${household}</span></header>
<main class="card">${card}</main>
<footer>${foot}</footer>
</div>
</body>
</html>
`.text;
}
