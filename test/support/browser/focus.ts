import type { Page } from 'playwright-core';

/** The focused element's name, and whether it has a visible focus ring. */
export interface Focused {
  readonly name: string;
  readonly isInSight: boolean;
  readonly hasRing: boolean;
}

/** For a field its label, for other elements their text, without markers. */
export function focused(page: Page): Promise<Focused> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const words = (of) => [...of.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map(({ data }) => data).join('');
    const named = element.labels?.[0] ?? element;
    const box = named.getBoundingClientRect();
    const bar = document.querySelector('[data-save-bar]')?.getBoundingClientRect().top ?? innerHeight;
    const around = [element, element.nextElementSibling, ...[element.parentElement, element.parentElement?.parentElement]
      .filter((one) => one?.matches('.mantine-Input-wrapper, .mantine-Input-input, .mantine-Pill-group, .mantine-PillsInput-input, .mantine-InputWrapper-root *'))];
    return {
      name: words(named),
      isInSight: box.top >= 0 && box.bottom <= Math.min(bar, innerHeight) && box.width > 0,
      hasRing: around.some((one) => one !== null && parseFloat(getComputedStyle(one).outlineWidth) >= 2 && getComputedStyle(one).outlineStyle !== 'none'),
    };
  })()`);
}
