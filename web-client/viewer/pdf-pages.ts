// The pages of a PDF, one below the other.

import { t } from 'virtual:messages/viewer';
import type { PDFDocumentProxy, PDFPageProxy, RenderTask } from 'pdfjs-dist';
import { make } from '../lib/dom.ts';
import { trackPage } from './page-tracker.ts';
import { showReady } from './ready.ts';

type PdfJs = typeof import('pdfjs-dist');

/** Pixels of one canvas; mobile browsers refuse more. */
const MAX_DOTS = 16_000_000;
/** A document may claim any number of pages. */
const MAX_PAGES = 5_000;

interface Sheet {
  readonly element: HTMLElement;
  /** Of the page, from 1. */
  readonly number: number;
  /** Counts drawings, so that an older one is abandoned. */
  turn: number;
  isNear: boolean;
  task: RenderTask | null;
  page: PDFPageProxy | null;
}

export async function showPages(pdf: PdfJs, source: PDFDocumentProxy, main: HTMLElement): Promise<void> {
  const count = Math.min(source.numPages, MAX_PAGES);
  const first = (await source.getPage(1)).getViewport({ scale: 1 });
  const sheets = Array.from({ length: count }, (_, index): Sheet => {
    const label = t('viewer.pdf.page', { page: index + 1 });
    const element = make('div', { class: 'page', role: 'group', 'aria-label': label });
    setShape(element, first);
    return { element, number: index + 1, turn: 0, isNear: false, task: null, page: null };
  });
  main.replaceChildren(...sheets.map(({ element }) => element));
  const draw = (sheet: Sheet) => void drawSheet(pdf, source, sheet, main);
  watchNear(sheets, draw);
  const elements = sheets.map(({ element }) => element);
  const position = (index: number) => t('viewer.pdf.counter', { page: index + 1, pages: source.numPages });
  trackPage(main, elements, position, () => {
    for (const sheet of sheets) if (sheet.isNear) draw(sheet);
  });
}

function setShape(element: HTMLElement, { width, height }: { readonly width: number; readonly height: number }): void {
  element.style.aspectRatio = `${width} / ${height}`;
}

/** Draws a page at screen resolution, and replaces the old drawing when it is done. */
async function drawSheet(pdf: PdfJs, source: PDFDocumentProxy, sheet: Sheet, main: HTMLElement): Promise<void> {
  sheet.turn += 1;
  const { turn, element } = sheet;
  const isOutdated = () => turn !== sheet.turn;
  sheet.task?.cancel();
  try {
    const page = await source.getPage(sheet.number);
    if (isOutdated()) return;
    sheet.page = page;
    const whole = page.getViewport({ scale: 1 });
    setShape(element, whole);
    const scale = element.clientWidth / whole.width;
    const canvas = await render(sheet, page, scale);
    if (isOutdated()) return;
    const layer = make('div', { class: 'textLayer' });
    element.style.setProperty('--total-scale-factor', String(scale));
    element.replaceChildren(canvas, layer);
    showReady(main);
    const content = { textContentSource: page.streamTextContent(), container: layer };
    await new pdf.TextLayer({ ...content, viewport: page.getViewport({ scale }) }).render();
  } catch (error) {
    if (isOutdated() || (error instanceof Error && error.name === 'RenderingCancelledException')) return;
    // If only its text cannot be read, the drawing stays.
    if (element.querySelector('canvas') === null)
      element.replaceChildren(make('p', { class: 'help' }, t('viewer.pdf.badPage')));
    showReady(main);
  }
}

async function render(sheet: Sheet, page: PDFPageProxy, scale: number): Promise<HTMLCanvasElement> {
  const whole = page.getViewport({ scale: 1 });
  const sharpest = Math.sqrt(MAX_DOTS / (whole.width * whole.height));
  const viewport = page.getViewport({ scale: Math.min(scale * Math.max(devicePixelRatio, 1), sharpest) });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  sheet.task = page.render({ canvas, viewport });
  await sheet.task.promise;
  return canvas;
}

/** Phones have little memory for canvases. */
function free(sheet: Sheet): void {
  sheet.turn += 1;
  sheet.task?.cancel();
  sheet.task = null;
  for (const canvas of sheet.element.querySelectorAll('canvas')) canvas.width = 0;
  sheet.element.replaceChildren();
  sheet.page?.cleanup();
  sheet.page = null;
}

/** Draws pages near the window, and frees the others. */
function watchNear(sheets: readonly Sheet[], draw: (sheet: Sheet) => void): void {
  const byElement = new Map<Element, Sheet>(sheets.map((sheet) => [sheet.element, sheet]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const sheet = byElement.get(target);
        if (sheet === undefined || sheet.isNear === isIntersecting) continue;
        sheet.isNear = isIntersecting;
        if (isIntersecting) draw(sheet);
        else free(sheet);
      }
    },
    { root: document, rootMargin: '100% 0px' },
  );
  for (const { element } of sheets) observer.observe(element);
}
