declare global {
  interface Window {
    /** The global variable in which the scroll-lock library looks for the nonce. */
    __webpack_nonce__?: string;
  }
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
window.__webpack_nonce__ = nonce;

/** The nonce that the page's policy requires for generated styles. */
export function styleNonce(): string {
  return nonce;
}
