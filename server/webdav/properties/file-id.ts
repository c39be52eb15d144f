/**
 * A number of 63 bits that stays with an item, and tells nothing about how many others there are: the first half of its uuid.
 * @param uuid of version 4, nearly all of which is random
 */
export function fileId(uuid: string): string {
  return String(BigInt(`0x${uuid.replaceAll('-', '').slice(0, 16)}`) >> 1n);
}

/** The same as sync clients store it, also from the header `OC-FileId`: with a text that tells servers apart. */
export function syncId(uuid: string): string {
  return `${fileId(uuid)}larder`;
}

/** The beginnings of the uuids that have a number; none for what is no such number. */
export function uuidsBeginWith(id: string): string[] {
  const number = /^\d{1,19}$/.test(id) ? BigInt(id) : null;
  if (number === null || number >= 1n << 63n) return [];
  return [0n, 1n].map((last) => {
    const digits = ((number << 1n) | last).toString(16).padStart(16, '0');
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12)}-`;
  });
}
