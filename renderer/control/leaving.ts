/**
 * The address behind the `#`, and whether it may change now: where something is typed and not saved, whoever looks after it is
 * asked before the page is another one.
 */

type Listener = () => void;

const listeners = new Set<Listener>();
let shown = globalThis.location?.hash ?? '';
let ask: ((leave: () => void) => void) | null = null;

function pageOf(hash: string): string {
  return hash.split('?', 1)[0] ?? '';
}

function onHashChange(): void {
  const wanted = location.hash;
  if (wanted === shown) return;
  if (ask !== null && pageOf(wanted) !== pageOf(shown)) {
    // Back to where one is, until that is answered.
    history.replaceState(null, '', shown === '' ? location.pathname : shown);
    ask(() => {
      ask = null;
      location.hash = wanted;
    });
    return;
  }
  shown = wanted;
  for (const listener of listeners) listener();
}

/** A tab that is closed asks in the browser's own words. The window of the application would only not close, without a word. */
function onUnload(event: BeforeUnloadEvent): void {
  if (ask !== null && window.larder === undefined) event.preventDefault();
}

export function subscribeToHash(listener: Listener): () => void {
  if (listeners.size === 0) {
    addEventListener('hashchange', onHashChange);
    addEventListener('beforeunload', onUnload);
    // It may have changed while nobody listened.
    shown = location.hash;
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      removeEventListener('hashchange', onHashChange);
      removeEventListener('beforeunload', onUnload);
    }
  };
}

export const currentHash = (): string => shown;

/** @param question told how to leave after all @returns takes the question back */
export function askBeforeLeaving(question: (leave: () => void) => void): () => void {
  ask = question;
  return () => {
    if (ask === question) ask = null;
  };
}

/** What was typed is saved, and leads to another page: nobody has to be asked. */
export function letLeave(): void {
  ask = null;
}
