import { bestEffort } from '../../server/lib/async/settled.ts';

/**
 * The address behind the `#`, and whether it may change now: with unsaved changes, the form is asked before another page is
 * shown.
 * Each entry of the tab's history contains its number. From it follows how far *Back* or *Forward* went, so that it can be
 * undone, and repeated after confirmation: the entries themselves do not change.
 */

type Listener = () => void;
/** Called with a function that leaves anyway. */
type Question = (leave: () => void) => void;

const listeners = new Set<Listener>();
let shown = globalThis.location?.hash ?? '';
/** The number of the present entry. */
let at = 0;
let isListening = false;
/** One for each form with unsaved changes; the last one is asked. */
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
  const requested = location.hash;
  if (requested === shown) {
    // Editing the fragment by hand has created an entry.
    if (numberOf(history.state) === null) {
      at += 1;
      writeNumber();
    }
    return;
  }
  // Several changes may precede the first event: only the present address counts.
  if (newURL !== '' && newURL !== location.href) return;
  const number = numberOf(history.state);
  // An entry without a number has just been added, after the present one.
  const distance = number === null ? 1 : number - at;
  const ask = questions.at(-1);
  if (ask !== undefined && distance !== 0 && pageOf(requested) !== pageOf(shown)) {
    history.go(-distance);
    ask(() => {
      change([]);
      if (number === null) location.hash = requested;
      else history.go(distance);
    });
    return;
  }
  at += distance;
  if (number === null) writeNumber();
  shown = requested;
  for (const listener of listeners) listener();
}

/** A link to the present page replaces the entry. */
function onPopState(): void {
  if (location.hash === shown && numberOf(history.state) === null) writeNumber();
}

/** The page was reloaded before the event for a new entry: it gets its number anyway. */
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

/** Changes the address of the present entry: *Back* leads to the previous page. */
export function replaceAddress(address: string): void {
  history.replaceState({ entry: at }, '', address);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** @returns removes the question */
export function askBeforeLeaving(question: Question): () => void {
  change([...questions, question]);
  return () => change(questions.filter((other) => other !== question));
}

/** The changes were saved, and the next page follows: no confirmation is needed. */
export function letLeave(): void {
  change([]);
}

function change(next: readonly Question[]): void {
  const before = questions.length > 0;
  const isUnsaved = next.length > 0;
  questions = next;
  if (isUnsaved === before) return;
  // Closing the tab or window shows a question of the browser or the application.
  if (isUnsaved) addEventListener('beforeunload', onUnload);
  else removeEventListener('beforeunload', onUnload);
  // The application is ending and does not reply.
  void bestEffort(window.larder?.invoke('desktop.unsaved', { isUnsaved }));
}
