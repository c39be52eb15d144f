/** Marks that content is visible. */
export function showReady(main: HTMLElement): void {
  main.removeAttribute('aria-busy');
  document.documentElement.dataset.ready = '';
}
