// The keys of uploads that have begun: the same file, chosen again within a week, goes on where it stopped.

const KEPT = 'larder-sending:';
const KEPT_FOR = 7 * 24 * 3_600_000;

/** @returns the key of an upload under this name; null when there is none, or it is too old */
export function recall(name) {
  try {
    return read(KEPT + name);
  } catch {
    return null;
  }
}

export function keep(name, key) {
  try {
    localStorage.setItem(KEPT + name, `${Date.now()} ${key}`);
  } catch {
    // Then it goes on in this page only.
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(KEPT + name);
  } catch {
    // Nothing was kept.
  }
}

/** Of those that nobody goes on with, nothing stays. */
export function forgetOld() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(KEPT));
    for (const name of names) if (read(name) === null) localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}

function read(name) {
  const [at, key] = localStorage.getItem(name)?.split(' ') ?? [];
  return key !== undefined && Date.now() - Number(at) < KEPT_FOR ? key : null;
}
