// What was dropped onto the page: files, and folders with all that is in them.

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));
const readSome = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject));

/** @returns the files with the way to each, and the folders with nothing in them */
export async function readDropped(entries) {
  const files = [];
  const folders = [];

  async function read(entry, above) {
    const way = [...above, entry.name];
    if (entry.isFile) {
      files.push({ file: await fileOf(entry), way });
      return;
    }
    const reader = entry.createReader();
    let count = 0;
    // A hundred at a time, until there are none.
    for (let some = await readSome(reader); some.length > 0; some = await readSome(reader)) {
      count += some.length;
      for (const one of some) await read(one, way);
    }
    if (count === 0) folders.push(way);
  }

  for (const entry of entries) await read(entry, []).catch(() => undefined);
  return { files, folders };
}
