/**
 * The address behind the `#`, and whether it may change now: where something is typed and not saved, whoever looks after it is
 * asked before the page is another one.
 *
 * Each entry of the tab's history has its number with it. By that it is known how far *Back* or *Forward* has gone, so that one
 * can be brought back to where one was, and go on from there: the entries themselves stay as they are.
 */

type Listener = () => void;
/** Told how to leave after all. */
type Question = (leave: () => void) => void;

const listeners = new Set<Listener>();
let shown = globalThis.location?.hash ?? '';
/** The number of the entry that is shown. */
let at = 0;
let isListening = false;
/** Of each form of the page in which something is typed; the last one is asked. */
let questions: readonly Question[] = [];

function pageOf(hash: string): string {
  return hash.split('?', 1)[0] ?? '';
}

function numberOf(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('entry' in state)) return null;
  return typeof state.entry === 'number' ? state.entry : null;
}

function writeNumber(): void {
  history.replaceState({ entry: at }, '');
}

function onHashChange({ newURL }: HashChangeEvent): void {
  const wanted = location.hash;
  if (wanted === shown) {
    // What was put behind the address, and taken out of it again, has made an entry.
    if (numberOf(history.state) === null) {
      at += 1;
      writeNumber();
    }
    return;
  }
  // Two moves may come before the first is told: what counts is where one is.
  if (newURL !== '' && newURL !== location.href) return;
  const number = numberOf(history.state);
  // One without a number has just been added, behind the one that is shown.
  const distance = number === null ? 1 : number - at;
  const ask = questions.at(-1);
  if (ask !== undefined && distance !== 0 && pageOf(wanted) !== pageOf(shown)) {
    history.go(-distance);
    ask(() => {
      change([]);
      if (number === null) location.hash = wanted;
      else history.go(distance);
    });
    return;
  }
  at += distance;
  if (number === null) writeNumber();
  shown = wanted;
  for (const listener of listeners) listener();
}

/** A link to where one is makes the entry anew. */
function onPopState(): void {
  if (location.hash === shown && numberOf(history.state) === null) writeNumber();
}

/** Loaded again before it was told that there is a new entry: the number is with it all the same. */
function onLeaving(): void {
  if (location.hash !== shown && numberOf(history.state) === null) history.replaceState({ entry: at + 1 }, '');
}

function onUnload(event: Event): void {
  event.preventDefault();
}

export function subscribeToHash(listener: Listener): () => void {
  if (!isListening) {
    isListening = true;
    addEventListener('hashchange', onHashChange);
    addEventListener('popstate', onPopState);
    addEventListener('beforeunload', onLeaving);
    // It may have changed before.
    shown = location.hash;
    at = numberOf(history.state) ?? 0;
    writeNumber();
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentHash = (): string => shown;

/** Another address for the entry that is shown: *Back* goes to the page before. */
export function replaceAddress(address: string): void {
  history.replaceState({ entry: at }, '', address);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** @returns takes the question back */
export function askBeforeLeaving(question: Question): () => void {
  change([...questions, question]);
  return () => change(questions.filter((other) => other !== question));
}

/** What was typed is saved, and leads to another page: nobody has to be asked. */
export function letLeave(): void {
  change([]);
}

function change(next: readonly Question[]): void {
  const before = questions.length > 0;
  const isUnsaved = next.length > 0;
  questions = next;
  if (isUnsaved === before) return;
  // Whoever closes the tab or the window is asked in words of the browser, or of the application.
  if (isUnsaved) addEventListener('beforeunload', onUnload);
  else removeEventListener('beforeunload', onUnload);
  // It ends without asking the page; while it ends, it does not answer.
  window.larder?.invoke('desktop.unsaved', { isUnsaved }).catch(() => undefined);
}
