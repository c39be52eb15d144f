// The open photo viewer, as far as the page below it has to know about it.

interface OpenViewer {
  readonly isOpen: boolean;
  close(): void;
  sync(renamed?: string | null): void;
}

let open: OpenViewer | null = null;

export function setOpenViewer(viewer: OpenViewer): void {
  open = viewer;
}

/** Closes it. @returns whether it was open */
export function closeViewer(): boolean {
  if (open?.isOpen !== true) return false;
  open.close();
  return true;
}

let renamedTo: string | null = null;

let viewed: string | null = null;

/** @param path of the item in the viewer; null when it is closed */
export function setViewed(path: string | null): void {
  viewed = path;
}

/** The path of the item that the viewer shows after the next change; null if it is closed. */
export const viewedPath = (): string | null => (viewed === null ? null : (renamedTo ?? viewed));

/** The item that is shown from the next change of the list on. @param path of the same item, renamed, or of another one */
export function followRenamed(path: string | null): void {
  renamedTo = path;
}

/** The list below it has changed. */
export function syncViewer(): void {
  open?.sync(renamedTo);
  renamedTo = null;
}

/** The history entry of an item in the viewer. */
export interface ViewerEntry {
  /** The path of the item. */
  readonly viewer: string;
  /** The address of the list below. */
  readonly below: string;
}

export function viewerEntryIn(state: unknown): ViewerEntry | null {
  if (typeof state !== 'object' || state === null || !('viewer' in state) || !('below' in state)) return null;
  const { viewer, below } = state;
  return typeof viewer === 'string' && typeof below === 'string' ? { viewer, below } : null;
}

let show: (entry: ViewerEntry) => void = () => undefined;

export function handleViewerEntries(handle: (entry: ViewerEntry) => void): void {
  show = handle;
}

/** Shows the item of a history entry again. */
export function showViewerEntry(entry: ViewerEntry): void {
  show(entry);
}
