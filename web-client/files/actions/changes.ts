// Callbacks after a change on the server, set by the navigation.

interface ChangeHandlers {
  /** @param path of the item that gets the focus */
  changed(path?: string | null): Promise<void>;
  /** Shown items have been moved or deleted. */
  removed(): Promise<void>;
  /** Another page is to be shown, as of what was created. */
  opened(address: string): Promise<void>;
}

let handlers: ChangeHandlers | null = null;

export function handleChanges(handle: ChangeHandlers): void {
  handlers = handle;
}

export const afterChange = async (path: string | null = null): Promise<void> => handlers?.changed(path);
export const afterRemoval = async (): Promise<void> => handlers?.removed();
export const showAfterwards = async (address: string): Promise<void> => handlers?.opened(address);
