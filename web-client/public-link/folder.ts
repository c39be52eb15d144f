// A linked folder: the selection for a download, and further entries near the end.

import { t } from 'virtual:messages/public-link';
import { closest, elements } from '../lib/dom.ts';
import { loadMore, moreLink } from './more.ts';

export function startFolder(form: HTMLFormElement): void {
  document.body.classList.add('scripted');
  startChoice(form);
  startPhotos(form);
  if ('IntersectionObserver' in window) watchEnd(form);
}

/** Photos, films and music open in the viewer, which is loaded when it is first used. */
function startPhotos(form: HTMLFormElement): void {
  const page = location.href;
  form.addEventListener('click', (event) => {
    const row = closest(event.target, 'a')?.closest<HTMLElement>('[data-view]') ?? null;
    const isOwn = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
    if (row === null || isOwn) return;
    event.preventDefault();
    const address = row.querySelector('a')?.href ?? page;
    import('./photos.ts').then(
      ({ openPhotos }) => openPhotos(form, row),
      () => location.assign(address),
    );
  });
  addEventListener('popstate', async ({ state }) => {
    const { closePhotos, openPhotos } = await import('./photos.ts');
    const wasOpen = closePhotos();
    const path = viewedIn(state);
    const row = elements(form, '[data-view]').find(({ dataset }) => dataset.path === path);
    if (row !== undefined) openPhotos(form, row, false);
    else if (!wasOpen && location.search !== new URL(page).search) location.reload();
  });
}

function viewedIn(state: unknown): string | null {
  return typeof state === 'object' && state !== null && 'viewer' in state ? String(state.viewer) : null;
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
