// Chosen, pasted or dropped files, with their folders.

export interface ChosenFile {
  readonly file: File;
  /** The names of its folders and its own. */
  readonly path: readonly string[];
}

export interface Dropped {
  readonly files: readonly ChosenFile[];
  /** Empty folders, and those with nothing but system files. */
  readonly emptyFolders: readonly (readonly string[])[];
  /** How many system files were in the folders. They are in none of the lists. */
  readonly systemFiles: number;
  /** How many files and folders could not be read. They, and what is in such folders, are in none of the lists. */
  readonly unreadable: number;
}

/** What Finder and Explorer store in folders for themselves. Chosen on its own, such a file is meant. */
const isSystemFile = (path: readonly string[]): boolean =>
  path.length > 1 && /^(?:\.ds_store|thumbs\.db)$/i.test(path.at(-1) ?? '');

/** The files of an input; with `webkitdirectory`, those of a folder. */
export function filesOf(list: FileList | readonly File[]): Dropped {
  const all = [...list].map((file) => ({ file, path: (file.webkitRelativePath || file.name).split('/') }));
  const files = all.filter(({ path }) => !isSystemFile(path));
  return { files, emptyFolders: [], systemFiles: all.length - files.length, unreadable: 0 };
}

/** The name that browsers give every picture that was copied from a page or a screen. */
const PICTURE = /^image\.(?<extension>png|jpe?g|gif|webp)$/;

/**
 * Pasted files. Pictures without a name of their own are named after the time in this time zone, as screenshots are.
 * @param title of such pictures
 */
export function pastedFiles(list: FileList, title: string): Dropped {
  const named = [...list].map((file) => {
    const { extension } = PICTURE.exec(file.name)?.groups ?? {};
    if (extension === undefined) return file;
    const { type, lastModified } = file;
    return new File([file], `${title} ${timeInName(new Date(lastModified))}.${extension}`, { type, lastModified });
  });
  return filesOf(named);
}

/** For example `2026-11-26 20.51.04`: colons cannot be in names everywhere. */
function timeInName(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('.')}`;
}

export const hasFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') === true;

/** Must be called during the event: later, the browser no longer exposes the dropped items. */
export function entriesOf(data: DataTransfer): FileSystemEntry[] {
  return [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
}

/** Reads folders with everything in them. What cannot be read is counted, and the rest is read nevertheless. */
export async function readEntries(entries: readonly FileSystemEntry[]): Promise<Dropped> {
  const files: ChosenFile[] = [];
  const emptyFolders: (readonly string[])[] = [];
  let systemFiles = 0;
  let unreadable = 0;

  async function tryToRead(entry: FileSystemEntry, parents: readonly string[]): Promise<void> {
    try {
      await read(entry, parents);
    } catch {
      unreadable += 1;
    }
  }

  async function read(entry: FileSystemEntry, parents: readonly string[]): Promise<void> {
    const path = [...parents, entry.name];
    if (entry.isFile) {
      files.push({ file: await fileOf(entry as FileSystemFileEntry), path });
      return;
    }
    const all = await childrenOf(entry as FileSystemDirectoryEntry);
    const children = all.filter(({ isFile, name }) => !(isFile && isSystemFile([...path, name])));
    systemFiles += all.length - children.length;
    for (const child of children) await tryToRead(child, path);
    if (children.length === 0) emptyFolders.push(path);
  }

  for (const entry of entries) await tryToRead(entry, []);
  return { files, emptyFolders, systemFiles, unreadable };
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
