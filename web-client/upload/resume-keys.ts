// Upload ids remembered by this browser: the same file, chosen again within a week, is resumed.

const PREFIX = 'larder-sending:';
const MAX_AGE = 7 * 24 * 3_600_000;

/** @returns null when there is none under this key, or it is too old */
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
    // Without storage, resuming works in this page only.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // There is nothing to remove.
  }
}

/** Removes expired ids. */
export function forgetExpired(): void {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    for (const name of names) if (read(name) === null) localStorage.removeItem(name);
  } catch {
    // There is nothing to remove.
  }
}

function read(name: string): string | null {
  const [time, uploadId] = localStorage.getItem(name)?.split(' ') ?? [];
  return uploadId !== undefined && Date.now() - Number(time) < MAX_AGE ? uploadId : null;
}

/** A key from which the next user of this browser learns nothing. */
export async function hashKey(parts: readonly (string | number)[]): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(parts.join('\n'))));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
