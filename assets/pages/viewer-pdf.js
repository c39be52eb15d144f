// Shows a PDF, one page below the other. Only what is near is fetched and drawn. What a document could do is left out: its scripts,
// forms and links are at most drawn.

const main = document.querySelector('main');
const texts = JSON.parse(main.dataset.texts);
const product = new URL('./', import.meta.url).href;

/** Dots of one drawing; more is refused by the browsers of phones. */
const MAX_DOTS = 16_000_000;
/** A document may say that it has any number of them. */
const MAX_PAGES = 5_000;

const fill = (text, ...values) => text.replace(/\{(\d)\}/g, (_, index) => String(values[index]));

function make(name, className, text = '') {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

function ready() {
  main.removeAttribute('aria-busy');
  document.documentElement.dataset.ready = '';
}

function fail(what) {
  const [heading, help] = texts.problems[what];
  document.querySelector('.counter')?.remove();
  main.className = 'sentence';
  main.replaceChildren(make('p', 'strong', heading), make('p', '', help));
  ready();
}

function problemOf({ name, status }) {
  if (name === 'PasswordException') return 'password';
  if (name === 'InvalidPDFException') return 'damaged';
  return name === 'ResponseException' && status === 404 ? 'gone' : 'other';
}

/**
 * A document without an origin has no address that a worker could come from, but a blob of its own; and a blob that is a module is
 * refused there. It says something as soon as it listens.
 */
function startWorker() {
  const code = `import(${JSON.stringify(`${product}pdf.worker.min.mjs`)}).catch(() => postMessage(null));`;
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const worker = new Worker(address);
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error('the worker did not start'));
    worker.addEventListener('error', refuse, { once: true });
    worker.addEventListener('message', ({ data }) => (data === null ? refuse() : resolve(worker)), { once: true });
  });
}

async function open() {
  const [pdf, port] = await Promise.all([import('./pdf.min.mjs'), startWorker()]);
  const opening = pdf.getDocument({
    url: new URL(main.dataset.source, location.href).href,
    worker: new pdf.PDFWorker({ port, verbosity: pdf.VerbosityLevel.ERRORS }),
    verbosity: pdf.VerbosityLevel.ERRORS,
    disableStream: true,
    disableAutoFetch: true,
    isEvalSupported: false,
    enableXfa: false,
    cMapUrl: `${product}cmaps/`,
    standardFontDataUrl: `${product}standard_fonts/`,
    iccUrl: `${product}iccs/`,
    wasmUrl: `${product}wasm/`,
  });
  await show(pdf, await opening.promise);
}

async function show(pdf, source) {
  const count = Math.min(source.numPages, MAX_PAGES);
  const first = (await source.getPage(1)).getViewport({ scale: 1 });
  const sheets = Array.from({ length: count }, (_, index) => {
    const element = make('div', 'page');
    element.setAttribute('role', 'group');
    element.setAttribute('aria-label', fill(texts.page, index + 1));
    const sheet = { element, number: index + 1, turn: 0, isNear: false, task: null, page: null };
    shape(sheet, first);
    return sheet;
  });
  main.replaceChildren(...sheets.map(({ element }) => element));
  watch(sheets, source.numPages, (sheet) => draw(pdf, source, sheet));
}

function shape({ element }, { width, height }) {
  element.style.aspectRatio = `${width} / ${height}`;
}

/** Draws a page as sharp as the screen is. What stood there before goes when the new drawing is done. */
async function draw(pdf, source, sheet) {
  sheet.turn += 1;
  const { turn, element } = sheet;
  sheet.task?.cancel();
  try {
    const page = await source.getPage(sheet.number);
    if (turn !== sheet.turn) return;
    sheet.page = page;
    const whole = page.getViewport({ scale: 1 });
    shape(sheet, whole);
    const scale = element.clientWidth / whole.width;
    const most = Math.sqrt(MAX_DOTS / (whole.width * whole.height));
    const viewport = page.getViewport({ scale: Math.min(scale * Math.max(devicePixelRatio, 1), most) });
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.floor(viewport.width));
    canvas.height = Math.max(1, Math.floor(viewport.height));
    sheet.task = page.render({ canvas, viewport });
    await sheet.task.promise;
    if (turn !== sheet.turn) return;
    const words = make('div', 'textLayer');
    element.style.setProperty('--total-scale-factor', scale);
    element.replaceChildren(canvas, words);
    ready();
    const layer = { textContentSource: page.streamTextContent(), container: words };
    await new pdf.TextLayer({ ...layer, viewport: page.getViewport({ scale }) }).render();
  } catch (error) {
    if (turn !== sheet.turn || error?.name === 'RenderingCancelledException') return;
    // Words that cannot be read leave the drawing.
    if (element.querySelector('canvas') === null) element.replaceChildren(make('p', 'help', texts.badPage));
    ready();
  }
}

function free(sheet) {
  sheet.turn += 1;
  sheet.task?.cancel();
  sheet.task = null;
  for (const canvas of sheet.element.querySelectorAll('canvas')) canvas.width = 0;
  sheet.element.replaceChildren();
  sheet.page?.cleanup();
  sheet.page = null;
}

/** Draws what comes near, and frees what is far. */
function watch(sheets, total, draw) {
  const byElement = new Map(sheets.map((sheet) => [sheet.element, sheet]));
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const sheet = byElement.get(target);
        if (sheet.isNear === isIntersecting) continue;
        sheet.isNear = isIntersecting;
        if (isIntersecting) void draw(sheet);
        else free(sheet);
      }
    },
    { root: document, rootMargin: '100% 0px' },
  );
  for (const { element } of sheets) near.observe(element);

  follow(sheets, total, () => {
    for (const sheet of sheets) if (sheet.isNear) void draw(sheet);
  });
}

/** Keeps to the page that is in the middle of the window, and says which one of all it is. @param redraw for another width */
function follow(sheets, total, redraw) {
  const counter = make('p', 'counter');
  counter.setAttribute('aria-hidden', 'true');
  if (sheets.length > 1) document.body.append(counter);

  let width = main.clientWidth;
  let place = { index: 0, part: 0 };
  const look = () => {
    // What another width has moved is put back first.
    if (main.clientWidth !== width) return;
    const middle = scrollY + innerHeight / 2;
    let index = 0;
    let high = sheets.length - 1;
    while (index < high) {
      const half = Math.ceil((index + high) / 2);
      if (sheets[half].element.offsetTop <= middle) index = half;
      else high = half - 1;
    }
    const { offsetTop, offsetHeight } = sheets[index].element;
    place = { index, part: (middle - offsetTop) / offsetHeight };
    counter.textContent = fill(texts.counter, index + 1, total);
  };
  addEventListener('scroll', () => requestAnimationFrame(look), { passive: true });
  look();

  let waiting = 0;
  new ResizeObserver(() => {
    if (main.clientWidth === width) return;
    width = main.clientWidth;
    const { offsetTop, offsetHeight } = sheets[place.index].element;
    scrollTo(0, offsetTop + place.part * offsetHeight - innerHeight / 2);
    clearTimeout(waiting);
    waiting = setTimeout(redraw, 150);
  }).observe(main);
}

open().catch((error) => fail(problemOf(error)));
