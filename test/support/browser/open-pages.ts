import type { Page, Request } from 'playwright-core';

/** The open pages of this process with their unanswered requests, to describe them where a test fails. */
const open = new Map<Page, Set<Request>>();

export function addOpenPage(page: Page): void {
  const unanswered = new Set<Request>();
  open.set(page, unanswered);
  page.once('close', () => open.delete(page));
  page.on('request', (request) => unanswered.add(request));
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
}

/** What the open pages show, as text; empty without pages. @param test its title */
export async function describePages(test: string): Promise<string> {
  let text = '';
  for (const [page, unanswered] of open) {
    const seen = await page
      .evaluate(`[location.href, document.activeElement?.outerHTML.slice(0, 200),
        ...[...document.images].filter(({ complete }) => !complete).map(({ currentSrc }) => 'without image ' + currentSrc),
        document.body.innerText].join("\\n")`)
      .catch((error: unknown) => String(error));
    const waiting = [...unanswered].map((request) => `waits for ${request.method()} ${request.url()}\n`).join('');
    text += `${test}: the page was\n${waiting}${String(seen).slice(0, 4_000)}\n\n`;
  }
  return text;
}
