/** Something of the content is shown. */
export function showReady(main: HTMLElement): void {
  main.removeAttribute('aria-busy');
  document.documentElement.dataset.ready = '';
}
