// Chosen, pasted or dropped files, with their folders.

export interface ChosenFile {
  readonly file: File;
  /** The names of its folders and its own. */
  readonly path: readonly string[];
}

export interface Dropped {
  readonly files: readonly ChosenFile[];
  /** Empty folders. */
  readonly emptyFolders: readonly (readonly string[])[];
}

export const filesOf = (list: FileList | readonly File[]): ChosenFile[] =>
  [...list].map((file) => ({ file, path: (file.webkitRelativePath || file.name).split('/') }));

export const hasFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') === true;

/** Must be called during the event: later, the browser no longer exposes the dropped items. */
export function entriesOf(data: DataTransfer): FileSystemEntry[] {
  return [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
}

/** Reads folders with everything in them. Unreadable ones are left out. */
export async function readEntries(entries: readonly FileSystemEntry[]): Promise<Dropped> {
  const files: ChosenFile[] = [];
  const emptyFolders: (readonly string[])[] = [];

  async function read(entry: FileSystemEntry, parents: readonly string[]): Promise<void> {
    const path = [...parents, entry.name];
    if (entry.isFile) {
      files.push({ file: await fileOf(entry as FileSystemFileEntry), path });
      return;
    }
    const children = await childrenOf(entry as FileSystemDirectoryEntry);
    for (const child of children) await read(child, path);
    if (children.length === 0) emptyFolders.push(path);
  }

  for (const entry of entries) await read(entry, []).catch(() => undefined);
  return { files, emptyFolders };
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject);
  });

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const next = () =>
    new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
  const all: FileSystemEntry[] = [];
  // Browsers return up to a hundred at a time, and none at the end.
  for (let some = await next(); some.length > 0; some = await next()) all.push(...some);
  return all;
}
