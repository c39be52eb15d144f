// A linked folder: the selection for a download, and further entries near the end.

import { t } from 'virtual:messages/public-link';
import { elements, parseHtml } from '../lib/dom.ts';

/** The containers of the different views. */
const CONTAINERS = ['.cards', '.pictures', '.rows'];

export function startFolder(form: HTMLFormElement): void {
  document.body.classList.add('scripted');
  startChoice(form);
  const more = form.querySelector<HTMLAnchorElement>('.more-rows a');
  if (more !== null && 'IntersectionObserver' in window) watchEnd(form, more);
}

function startChoice(form: HTMLFormElement): void {
  const boxes = () => elements<HTMLInputElement>(form, '.pick input');
  const count = document.getElementById('count');
  const draw = () => {
    const chosen = boxes().filter(({ checked }) => checked).length;
    document.body.classList.toggle('choosing', chosen > 0);
    if (count !== null) count.textContent = t('links.folder.selected', { count: chosen });
  };
  form.addEventListener('change', draw);
  form.addEventListener('submit', (event) => {
    // Enter in a box must not submit the download form.
    if (event.submitter === null) event.preventDefault();
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !document.body.classList.contains('choosing')) return;
    for (const box of boxes()) box.checked = false;
    draw();
  });
  draw();
}

function watchEnd(form: HTMLFormElement, more: HTMLAnchorElement): void {
  let isLoading = false;
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void load();
    },
    { rootMargin: '600px' },
  );
  observer.observe(more);

  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    const response = await fetch(more.href, { headers: { Accept: 'text/html' } }).catch(() => null);
    isLoading = false;
    // The button stays available.
    if (response?.ok !== true) return observer.disconnect();
    const page = parseHtml(await response.text());
    append(page);
    const further = page.querySelector<HTMLAnchorElement>('form.take .more-rows a');
    if (further === null) {
      observer.disconnect();
      more.parentElement?.remove();
      return;
    }
    more.href = further.href;
    more.textContent = further.textContent;
    // Observing it again reports it again if it is still near.
    observer.unobserve(more);
    observer.observe(more);
  }

  function append(page: Document): void {
    for (const container of CONTAINERS) {
      const next = page.querySelector(`form.take ${container}`);
      const here = form.querySelector(container);
      if (next === null) continue;
      if (here !== null) here.append(...next.children);
      else more.parentElement?.before(next);
    }
  }
}
