/** Where other devices reach it: not by the name that every computer has for itself. */
export function forOthers(addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) => new URL(address).hostname !== 'localhost');
}
