// "Add a device": checks again and again whether this device trusts the server, and shows the end of it.

import { prepareCopy } from '../lib/copy-button.ts';
import { elements, required } from '../lib/dom.ts';
import { check, type Verdict } from './check.ts';

/** Milliseconds between two checks. */
const PAUSE = 3_000;

const page = required(document, '.trust');
const { origins = '', picture = '', handshakes = '', detected } = page.dataset;
const todo = required(page, '#todo');
const done = required(page, '#done');
const others = origins.split(' ').filter((origin) => origin !== '');

// An iPad says that it is a Mac, which has no touch screen.
if (detected === 'mac' && navigator.maxTouchPoints > 1) {
  const address = new URL(location.href);
  address.searchParams.set('on', 'ios');
  location.replace(address);
}

for (const button of elements(page, '[data-copy]')) prepareCopy(button, document);

function show(verdict: Verdict | 'checking'): void {
  const isTrusted = verdict === 'trusted';
  for (const box of elements(page, '[data-state]')) box.hidden = box.dataset.state !== verdict;
  if (!isTrusted || !done.hidden) return;
  done.hidden = false;
  todo.hidden = true;
  // Moves people with a screen reader to the result, where they would not look for it.
  required(done, 'h1').focus({ preventScroll: true });
  scrollTo(0, 0);
}

let isChecking = false;
let timer: number | undefined;

/** One check at a time, while the page is visible, until this device trusts the server. */
async function run(): Promise<void> {
  if (isChecking || document.hidden || !done.hidden) return;
  isChecking = true;
  clearTimeout(timer);
  const verdict = await check({ origins: others, picture, handshakes });
  isChecking = false;
  show(verdict);
  if (verdict !== 'trusted') timer = setTimeout(() => void run(), PAUSE);
}

// Another device may need the steps although this one does not.
required(done, '.next a[href="#todo"]').addEventListener('click', () => {
  todo.hidden = false;
});

if (others.length > 0) {
  show('checking');
  document.addEventListener('visibilitychange', () => void run());
  addEventListener('online', () => void run());
  void run();
}
