declare global {
  interface Window {
    /** Where the library that keeps the page still behind a dialog looks for the same. */
    __webpack_nonce__?: string;
  }
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
window.__webpack_nonce__ = nonce;

/** What the page's policy asks of every style that is made in the page. */
export function styleNonce(): string {
  return nonce;
}
