/** The addresses for other devices: without those that lead every device to itself. */
export function forOthers(addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) => !isHere(address));
}

/**
 * The address of the files, where it works in this browser: beside the panel itself over HTTPS, otherwise on Larder's own computer,
 * with `localhost` if there is such an address. Null without any.
 * @param isInWindow whether the panel is the window of the desktop application, which has an address of its own
 */
export function filesAddress(addresses: readonly string[], isInWindow: boolean): string | null {
  if (!isInWindow && location.protocol === 'https:') return new URL('../files/', location.href).href;
  const address = addresses.find(isHere) ?? addresses[0];
  return address === undefined ? null : `${address.replace(/\/$/, '')}/files/`;
}

function isHere(address: string): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(new URL(address).hostname);
}
