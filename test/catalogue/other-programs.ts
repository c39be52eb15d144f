import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, copyFile, link, open as openFile, rename, rm, truncate, writeFile } from 'node:fs/promises';

/** Bytes of the files that are written. */
export const SIZE = 2_000;

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** What other programs do, with the path of a file and that of another one of the same size and time. */
export type Means = (file: string, other: string) => Promise<unknown> | unknown;
export const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });
const shell = (script: string) => (file: string, other: string) => run('sh', '-c', script, file, other);

/** Each leaves other bytes, of the same length. */
export const WRITING: Readonly<Record<string, Means | null>> = {
  'written in place': async (file) => {
    const handle = await openFile(file, 'r+');
    await handle.write('x', 1_000);
    await handle.close();
  },
  'written from the beginning': (file) => writeFile(file, 'b'.repeat(SIZE)),
  'emptied and filled again': async (file) => {
    await truncate(file, 0);
    await truncate(file, SIZE);
  },
  'appended to after it was cut': async (file) => {
    await truncate(file, SIZE - 1);
    await writeFile(file, 'b', { flag: 'a' });
  },
  'written through another name': async (file) => {
    await link(file, `${file} too`);
    await writeFile(`${file} too`, 'b'.repeat(SIZE));
    await rm(`${file} too`);
  },
  'replaced by another file': (file, other) => rename(other, file),
  'replaced by another file that stays': async (file, other) => {
    await rm(file);
    await link(other, file);
  },
  'copied over': (file, other) => copyFile(other, file),
  'copied over with cp -p': shell('cp -p "$1" "$0"'),
  'copied over with cat': shell('cat "$1" > "$0"'),
  'copied over with dd': shell('dd if="$1" of="$0" conv=notrunc bs=512 2>/dev/null'),
  'written with tee': shell('tee "$0" < "$1" > /dev/null'),
  'edited with sed': shell('sed -i s/a/b/ "$0"'),
  'extracted with tar': shell(
    'cd "$(dirname "$1")" && cp -p "$1" "$1.d" && tar -cf - --transform "s,.*,$(basename "$0")," "$(basename "$1")" | tar -xf - -C "$(dirname "$0")" && rm "$1.d"',
  ),
  'edited with perl': has('perl') ? shell('perl -pi -e s/a/b/ "$0"') : null,
  'written with pwrite': has('python3')
    ? (file) => run('python3', '-c', 'import os,sys; f=os.open(sys.argv[1],os.O_RDWR); os.pwrite(f,b"x",5)', file)
    : null,
  'written through mapped memory': has('python3')
    ? (file) =>
        run(
          'python3',
          '-c',
          'import mmap,sys; f=open(sys.argv[1],"r+b"); m=mmap.mmap(f.fileno(),0); m[3:4]=b"x"; m.flush()',
          file,
        )
    : null,
  'written without the cache': has('dd')
    ? shell('dd if=/dev/zero of="$0" conv=notrunc bs=100 count=1 oflag=sync 2>/dev/null')
    : null,
  'synchronized in place with rsync': has('rsync') ? shell('rsync --inplace -tI "$1" "$0"') : null,
  'synchronized with rsync': has('rsync') ? shell('rsync -tI "$1" "$0"') : null,
  'partly zeroed': has('fallocate')
    ? shell('fallocate -z -o 100 -l 100 "$0" || printf x | dd of="$0" conv=notrunc 2>/dev/null')
    : null,
};

/** Each changes no byte, but what the disk tells of the file. */
export const TOUCHING: Readonly<Record<string, Means | null>> = {
  'other permissions': (file) => chmod(file, 0o640),
  'the same permissions': (file) => chmod(file, 0o644),
  'another owner': process.getuid?.() === 0 ? shell('chown 1 "$0"') : null,
  'an extended attribute': has('setfattr') ? shell('setfattr -n user.note -v text "$0"') : null,
  'another name for the same file': (file, other) => link(file, `${other} link`),
  'the same times again': (file) => run('touch', '-r', file, file),
  'a new file with the same bytes': shell('cp -p "$0" "$0 too" && mv "$0 too" "$0"'),
  'another name, and back': shell('mv "$0" "$0 too" && mv "$0 too" "$0"'),
  'the same bytes again': shell('cp -p "$0" "$1.b" && cat "$1.b" > "$0" && touch -r "$1.b" "$0" && rm "$1.b"'),
};

/** Those whose program is installed. */
export const possible = (all: Readonly<Record<string, Means | null>>) =>
  Object.entries(all).filter((one): one is [string, Means] => one[1] !== null);
