// The report of an import: follows its progress until it has ended.

import { announce, elements, parseHtml, required } from '../lib/dom.ts';
import { asRequestError } from '../lib/requests.ts';
import { sleep } from '../lib/schedule.ts';
import { main } from './page.ts';
import { requestPage } from './requests.ts';

/** Milliseconds between two looks, and after a failure. */
const EVERY = 1_500;
const AFTER_FAILURE = 10_000;

const report = () => main.querySelector<HTMLElement>('.import-page');

export async function followImport(): Promise<void> {
  while (report()?.dataset.open === 'true') {
    await sleep(EVERY);
    // Nobody looks at a hidden page.
    if (document.visibilityState === 'visible' && !(await look())) await sleep(AFTER_FAILURE);
  }
}

async function look(): Promise<boolean> {
  try {
    const page = await requestPage(location.href);
    const next = required(parseHtml(page.main), '.import-page');
    const shown = report();
    if (shown === null) return true;
    const open = new Set(elements<HTMLDetailsElement>(shown, 'details[open] summary > span:first-child').map(textOf));
    for (const details of elements<HTMLDetailsElement>(next, 'details')) {
      details.open = open.has(textOf(required(details, 'summary > span')));
    }
    const hasEnded = next.dataset.open !== 'true';
    // The button that has the focus stays until there is another one.
    if (hasEnded) shown.replaceWith(next);
    else for (const part of ['.import-sums', '.import-notes', 'h1']) replacePart(shown, next, part);
    document.title = page.title;
    if (hasEnded) announce(textOf(required(next, 'h1')));
    return true;
  } catch (error) {
    asRequestError(error);
    return false;
  }
}

function replacePart(shown: HTMLElement, next: HTMLElement, selector: string): void {
  const [before, after] = [shown.querySelector(selector), next.querySelector(selector)];
  if (after === null || before?.isEqualNode(after) === true) return;
  if (before === null) shown.append(after);
  else before.replaceWith(after);
}

function textOf(element: Element): string {
  return element.textContent ?? '';
}
