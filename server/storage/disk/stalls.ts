import { t } from '../../messages/messages.ts';
/** The home roots whose disks do not respond, with the number of waiting calls for each. */
export class Stalls {
  readonly #waiting = new Map<string, number>();
  readonly #listeners = new Map<string, Set<() => void>>();

  has(root: string): boolean {
    return this.#waiting.has(root);
  }

  /** Number of homes that are offline for this reason. */
  get count(): number {
    return this.#waiting.size;
  }

  /** Calls the listener when the disk stops responding. @returns a function that unsubscribes */
  onStall(root: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(root) ?? new Set();
    this.#listeners.set(root, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(root);
    };
  }

  /** For the owner, one or two sentences each. */
  problems(): string[] {
    return [...this.#waiting.keys()].map((root) => t('api.storage.stalled', { home: root }));
  }

  /** @returns a function to call when the disk responds */
  add(root: string): () => void {
    this.#waiting.set(root, (this.#waiting.get(root) ?? 0) + 1);
    for (const listener of this.#listeners.get(root) ?? []) listener();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.#waiting.get(root) ?? 1) - 1;
      if (left > 0) this.#waiting.set(root, left);
      else this.#waiting.delete(root);
    };
  }
}
