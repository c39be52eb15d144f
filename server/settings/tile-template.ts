/** Characters of a template. */
const MAX_LENGTH = 500;
const PLACEHOLDERS = ['{z}', '{x}', '{y}'] as const;
/** A host name as browsers write it, with a port or none: it becomes part of a content security policy. */
const START = /^https:\/\/([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::[1-9]\d{0,4})?)\//;
/** What may follow the host: no quotes, spaces, backslashes or fragments. */
const REST = /^[A-Za-z0-9/._~!$&()*+,=:@%?-]*$/;

/**
 * Whether a text is the template of the addresses of map tiles: https, a fixed host, no credentials, and `{z}`, `{x}` and `{y}` once
 * each behind the host.
 */
export function isTileTemplate(text: string): boolean {
  const start = START.exec(text);
  if (start === null || text.length > MAX_LENGTH) return false;
  const rest = text.slice(start[0].length);
  if (PLACEHOLDERS.some((one) => rest.split(one).length !== 2)) return false;
  const filled = PLACEHOLDERS.reduce((address, one) => address.replace(one, '0'), rest);
  if (!REST.test(filled)) return false;
  const address = `${start[0]}${filled}`;
  // A browser that reads the address in another way would ask another host, or for another path.
  return URL.canParse(address) && new URL(address).href === address;
}

/** The origin of a template's addresses, such as `https://tiles.example`. */
export const tileOrigin = (template: string): string => new URL(template.replaceAll(/[{}]/g, '')).origin;
