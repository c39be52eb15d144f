// What the page does after something has changed on the server. Set by what shows the pages.

export interface ChangeHandlers {
  /** @param path of the one item that the keyboard goes to */
  changed(path?: string | null): Promise<void>;
  /** Items that the page shows are somewhere else now. */
  removed(): Promise<void>;
}

let handlers: ChangeHandlers | null = null;

export function handleChanges(handle: ChangeHandlers): void {
  handlers = handle;
}

export const afterChange = async (path: string | null = null): Promise<void> => handlers?.changed(path);
export const afterRemoval = async (): Promise<void> => handlers?.removed();
