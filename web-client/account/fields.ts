// Password fields, and the buttons for new recovery codes, on any page with a form.

import { elements } from '../lib/dom.ts';
import { addPasswordEyes } from '../lib/password-eyes.ts';

addPasswordEyes(document);

const list = document.getElementById('codes');
const actions = document.querySelector<HTMLElement>('.code-actions');
if (list !== null && actions !== null) prepareCodes(list, actions);

function prepareCodes(codes: HTMLElement, buttons: HTMLElement): void {
  const text = elements(codes, 'code')
    .map(({ textContent }) => textContent)
    .join('\n');
  const work: Record<string, (button: HTMLElement) => void> = {
    async copy(button) {
      await navigator.clipboard.writeText(text);
      button.textContent = button.dataset.copied ?? '';
    },
    save: () => saveAs(codes.dataset.file ?? '', `${document.title}\n${location.host}\n\n${text}\n`),
    print: () => print(),
  };
  // Browsers copy only in secure contexts.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  for (const button of elements(buttons, '[data-codes]')) {
    const { codes: name = '' } = button.dataset;
    button.hidden = name === 'copy' && clipboard === undefined;
    button.addEventListener('click', () => work[name]?.(button));
  }
  buttons.hidden = false;
}

function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
