/** Digits of the number that the page compares at least: the first line of the shown number. */
const DIGITS = 16;

/**
 * The address of "Add a device", with the start of the authority's number, so that people who scan it need not enter it.
 * @param address of the server
 * @param fingerprint SHA-256 in pairs of hexadecimal digits, with colons between them
 */
export function trustAddress(address: string, fingerprint: string): string {
  return `${address.replace(/\/$/, '')}/trust?number=${fingerprint.replaceAll(':', '').slice(0, DIGITS)}`;
}
