// A linked folder: the selection for a download, and further entries near the end.

import { t } from 'virtual:messages/public-link';
import { closest, elements } from '../lib/dom.ts';
import { loadMore, moreLink } from './more.ts';
import { startViewer } from './viewer-entries.ts';

export function startFolder(form: HTMLFormElement): void {
  startChoice(form);
  startViewer(
    form,
    (target) => closest(target, 'a')?.closest<HTMLElement>('[data-view]') ?? null,
    ({ folderBelow }) => folderBelow(form),
  );
  if ('IntersectionObserver' in window) watchEnd(form);
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

function watchEnd(form: HTMLFormElement): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void load();
    },
    { rootMargin: '600px' },
  );
  watch();

  function watch(): void {
    observer.disconnect();
    const more = moreLink(form);
    // Observing it again reports it again if it is still near.
    if (more !== null) observer.observe(more);
  }

  async function load(): Promise<void> {
    if (await loadMore(form)) watch();
    else observer.disconnect();
  }
}
