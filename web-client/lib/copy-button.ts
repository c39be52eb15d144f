import { required } from './dom.ts';

/**
 * Makes a button copy the content of a field or text: `data-copy` is its id, and `data-copied` the text of the button afterwards. It
 * stays hidden where the browser cannot copy.
 * @param onCopied called with that text
 */
export function prepareCopy(
  button: HTMLElement,
  content: ParentNode,
  onCopied: (text: string) => void = () => undefined,
): void {
  const { copy = '', copied = '' } = button.dataset;
  const source = required<HTMLElement>(content, `#${copy}`);
  const field = source instanceof HTMLInputElement ? source : null;
  field?.addEventListener('focus', () => field.select());
  // Available only in secure contexts.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await clipboard.writeText(field?.value ?? source.textContent ?? '');
    required(button, 'span').textContent = copied;
    onCopied(copied);
  });
}
