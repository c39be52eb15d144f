/// <reference lib="dom" />
import type { Locator } from 'playwright-core';

/**
 * Whether a person sees the ending of a name at its end: each of its characters is visible, right of the one before or in the next
 * line, and nothing of the element's text in the same line is further to the right, other than punctuation of a sentence.
 */
export function endsVisiblyWith(element: Locator, ending: string): Promise<boolean> {
  return element.evaluate((root, wanted) => {
    const characters: { text: string; left: number; right: number; top: number; isVisible: boolean }[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      const boxes: DOMRect[] = [];
      for (let around = node.parentElement; around !== null; around = around.parentElement) {
        const clips = around === node.parentElement || getComputedStyle(around).overflowY === 'hidden';
        if (clips) boxes.push(around.getBoundingClientRect());
        if (around === root) break;
      }
      for (let index = 0; index < text.length; index += 1) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const { left, right, top, bottom, width } = range.getBoundingClientRect();
        // Lines beyond the last one of an element that is limited to some are below it.
        const isVisible =
          width > 0 &&
          right <= innerWidth &&
          boxes.every((box) => right <= box.right + 1 && (top + bottom) / 2 <= box.bottom);
        characters.push({ text: text[index] ?? '', left, right, top, isVisible });
      }
    }
    const all = characters.map(({ text }) => text).join('');
    const at = all.lastIndexOf(wanted);
    if (at < 0) return false;
    const end = characters.slice(at, at + wanted.length);
    const isAfter = (one: (typeof end)[number], before: (typeof end)[number]) =>
      one.top > before.top + 4 || one.left >= before.left;
    const inOrder = end.every((one, index) => one.isVisible && (index === 0 || isAfter(one, end[index - 1] ?? one)));
    const last = end.at(-1);
    const beyond = characters.filter(
      ({ text, left, top, isVisible }) =>
        isVisible && top === last?.top && left >= last.right - 0.5 && !/[”?\s\u2066-\u2069\ufeff]/u.test(text),
    );
    return inOrder && beyond.length === 0;
  }, ending);
}
