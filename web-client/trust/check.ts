/** `unknown`: this device reaches the server by no other name, so that nothing can be told. */
export type Verdict = 'trusted' | 'untrusted' | 'unreachable' | 'unknown';

interface Failures {
  readonly refused: number;
  readonly ended: number;
}

/**
 * Whether this browser trusts the server: it loads an empty picture from other names of the certificate, for which nobody has
 * clicked a warning away. A browser says nothing about why a picture failed, but the server saw a refused connection, and tells.
 * @param origins other origins of the server
 * @param picture path of the picture, at every origin
 * @param handshakes path of the number of refused connections, at this origin
 */
export async function check({
  origins,
  picture,
  handshakes,
}: {
  origins: readonly string[];
  picture: string;
  handshakes: string;
}): Promise<Verdict> {
  const before = await failuresAt(handshakes);
  if (before === null) return 'unreachable';
  const loaded = await Promise.all(origins.map((origin) => loads(`${origin}${picture}?at=${Date.now()}`)));
  const after = await failuresAt(handshakes);
  if (after === null) return 'unreachable';
  // A name that loads may be one for which a warning was clicked away earlier.
  if (after.refused > before.refused) return 'untrusted';
  if (loaded.includes(true)) return 'trusted';
  return after.ended > before.ended ? 'untrusted' : 'unknown';
}

/** @returns null when the server does not reply */
async function failuresAt(address: string): Promise<Failures | null> {
  try {
    const reply = await fetch(address, { cache: 'no-store' });
    return reply.ok ? await reply.json() : null;
  } catch {
    return null;
  }
}

/** Milliseconds after which an address counts as not reached: networks may drop connections without a reply. */
const TIMEOUT = 8_000;

function loads(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image();
    const timer = setTimeout(() => end(false), TIMEOUT);
    function end(isLoaded: boolean): void {
      clearTimeout(timer);
      image.onload = image.onerror = null;
      resolve(isLoaded);
    }
    image.onload = () => end(true);
    image.onerror = () => end(false);
    image.src = address;
  });
}
