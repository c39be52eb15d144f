/** The addresses for other devices: without `localhost`. */
export function forOthers(addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) => new URL(address).hostname !== 'localhost');
}
