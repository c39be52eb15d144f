// Upload ids that this browser remembers: the same file, chosen again within a week, continues where it stopped.

const PREFIX = 'larder-sending:';
const MAX_AGE = 7 * 24 * 3_600_000;

/** @returns null when nothing is remembered under this key, or it is too old */
export function recall(key: string): string | null {
  try {
    return read(PREFIX + key);
  } catch {
    return null;
  }
}

export function remember(key: string, uploadId: string): void {
  try {
    localStorage.setItem(PREFIX + key, `${Date.now()} ${uploadId}`);
  } catch {
    // Without storage it continues in this page only.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // Nothing was remembered.
  }
}

/** Removes what nobody continues. */
export function forgetExpired(): void {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    for (const name of names) if (read(name) === null) localStorage.removeItem(name);
  } catch {
    // Nothing was remembered.
  }
}

function read(name: string): string | null {
  const [time, uploadId] = localStorage.getItem(name)?.split(' ') ?? [];
  return uploadId !== undefined && Date.now() - Number(time) < MAX_AGE ? uploadId : null;
}

/** A key that the next person at this browser cannot read anything from. */
export async function hashKey(parts: readonly (string | number)[]): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(parts.join('\n'))));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
