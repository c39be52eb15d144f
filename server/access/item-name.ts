/** What names an item in a request: its path, its uuid, or both if they name the same item. */
interface NamedItem {
  readonly path?: readonly string[] | undefined;
  readonly uuid?: string | undefined;
}

/** The segments of a path alone are a name, too. */
export type ItemName = readonly string[] | NamedItem;

export function namedItem(name: ItemName): NamedItem {
  return Array.isArray(name) ? { path: name as readonly string[] } : (name as NamedItem);
}
