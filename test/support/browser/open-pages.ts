import type { Page } from 'playwright-core';

/** The open pages of this process, to describe them where a test fails. */
const open = new Set<Page>();

export function addOpenPage(page: Page): void {
  open.add(page);
  page.once('close', () => open.delete(page));
}

/** What the open pages show, as text; empty without pages. @param test its title */
export async function describePages(test: string): Promise<string> {
  let text = '';
  for (const page of open) {
    const seen = await page
      .evaluate(`[location.href, document.activeElement?.outerHTML.slice(0, 200),
        ...[...document.images].filter(({ complete }) => !complete).map(({ currentSrc }) => 'without image ' + currentSrc),
        document.body.innerText].join("\\n")`)
      .catch((error: unknown) => String(error));
    text += `${test}: the page was\n${String(seen).slice(0, 4_000)}\n\n`;
  }
  return text;
}
