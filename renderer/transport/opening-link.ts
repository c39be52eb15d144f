/**
 * The secret of a link is in the fragment of the address, which browsers never send; it works once, so it is taken out of the
 * address. A link is opened in a new tab, or in one that shows the panel already and wants a fresh one.
 */

const LINK = /^#open=([\w-]+)$/;
/** The page at which a tab wanted a fresh link, for the tab that gets it. */
const LEFT = 'larder.left-page';
/** Milliseconds: whoever comes later begins at the beginning. */
const REMEMBERED = 3_600_000;

/**
 * @param before what was behind the address, and is again; null in a tab that has just come to be
 * @returns null when the address is no link
 */
export function takeSecret(before: string | null): string | null {
  const secret = LINK.exec(location.hash)?.[1] ?? null;
  if (secret === null) return null;
  const left = takeLeftPage();
  const page = before === null || LINK.test(before) ? left : before;
  history.replaceState(null, '', page === '' ? location.pathname : page);
  return secret;
}

export function keepLeftPage(): void {
  try {
    localStorage.setItem(LEFT, `${Date.now()} ${location.hash}`);
  } catch {
    // Then it is the first page.
  }
}

/** Once. @returns nothing when no tab has been left lately */
function takeLeftPage(): string {
  try {
    const [at = '', page = ''] = localStorage.getItem(LEFT)?.split(' ', 2) ?? [];
    localStorage.removeItem(LEFT);
    return Date.now() - Number(at) < REMEMBERED && page.startsWith('#/') ? page : '';
  } catch {
    return '';
  }
}
