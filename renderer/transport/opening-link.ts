/**
 * The secret of a link is in the fragment of the address, which browsers never send; it is valid once, so it is removed from the
 * address. A link is opened in a new tab, or in a tab whose panel needs a new one.
 */

const LINK = /^#open=([\w-]+)$/;
/** The page of a tab that needed a new link, to be shown by the tab that gets it. */
const LEFT = 'larder.left-page';
/** Milliseconds: later, the first page is shown. */
const REMEMBERED = 3_600_000;

/**
 * @param before the previous fragment, which is restored; null in a new tab
 * @returns null when the address is not a link
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
    // Then the first page is shown.
  }
}

/** Once. @returns an empty text when no tab was left recently */
function takeLeftPage(): string {
  try {
    const [at = '', page = ''] = localStorage.getItem(LEFT)?.split(' ', 2) ?? [];
    localStorage.removeItem(LEFT);
    return Date.now() - Number(at) < REMEMBERED && page.startsWith('#/') ? page : '';
  } catch {
    return '';
  }
}
