import { buildZip, DEFLATED, nameField, timeField, type ZipItem } from '../../../support/content/build-zip.ts';

/** Names as programs write them, with what they mean. */
const LAYOUTS: Readonly<Record<string, readonly string[]>> = {
  plain: ['a.txt', 'b/', 'b/c.txt'],
  paths: ['only/in/paths.txt', 'only/other.txt'],
  dots: ['./', './a.txt', './b/', './b/c.txt'],
  within: ['././a.txt', 'b/./c.txt'],
  slash: ['/', 'a.txt', 'b/c.txt'],
  backslashes: ['b\\', 'b\\c.txt', 'b\\d\\e.txt'],
  unicode: ['größe.txt', '写真/海 😀.jpg', 'Лето/', 'قلعة.txt'],
  spaces: [' leading.txt', 'two  blanks.txt', 'no extension', '.hidden', 'a.b.c'],
  signs: ["it's.txt", 'a&b;c$d.txt', '(1) [2] {3}.txt', '100%.txt', '#1 + ~.txt'],
};

const CONTENTS = ['', 'x', 'text '.repeat(500), Buffer.from([...Array(256).keys()])];

/** Local time, an even number of seconds. */
const DATES = [
  new Date(1985, 2, 4, 5, 6, 8),
  new Date(1999, 11, 31, 23, 59, 58),
  new Date(2012, 1, 29, 12, 0, 0),
  new Date(2023, 6, 15, 18, 30, 30),
];
/** Seconds since the epoch. */
const SECONDS = [1, 86_401, 315_532_799, 951_827_696, 1_600_000_001, 1_721_234_567];

const FORMS: readonly Partial<ZipItem>[] = [
  { method: DEFLATED },
  { method: 0 },
  { method: DEFLATED, descriptor: true },
  { zip64: true },
  { mode: 0o100644, method: DEFLATED },
];

/** Small archives, each with a layout of names, a form of headers, and a kind of times. */
export function archives(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const [layout, names] of Object.entries(LAYOUTS)) {
    for (const [number, form] of FORMS.entries()) {
      // A backslash separates only what programs for Windows wrote.
      if (layout === 'backslashes' && form.mode !== undefined) continue;
      const items = names.map((name, at) => itemOf(name, at + number, form));
      const isZip64 = form.zip64 === true;
      const build = (all: readonly ZipItem[]) => buildZip(all, isZip64 ? { zip64: true } : {});
      const dated = items.map((item, at) => ({ ...item, date: DATES[(at + number) % DATES.length] ?? new Date() }));
      files.set(`local-${layout}-${number}.zip`, build(dated));
      const utc = items.map((item, at) => ({
        ...item,
        extra: timeField(SECONDS[(at + number) % SECONDS.length] ?? 1),
      }));
      files.set(`utc-${layout}-${number}.zip`, build(utc));
    }
  }
  for (const [number, name] of (LAYOUTS.unicode ?? []).entries()) {
    const raw = `old${number}${name.endsWith('/') ? '/' : ''}`;
    const content = name.endsWith('/') ? '' : name;
    files.set(
      `local-spelled-${number}.zip`,
      buildZip([{ name: raw, content, extra: nameField(raw, name), mode: 0o100644 }]),
    );
  }
  return files;
}

function itemOf(name: string, at: number, form: Partial<ZipItem>): ZipItem {
  const isFolder = /[/\\]$/.test(name);
  // Debian's UnZip takes other names of FAT for those of DOS, even if their flag says UTF-8.
  const isOfUnix = form.mode !== undefined || /[^\0-\x7f]/.test(name);
  if (isFolder) return { name, ...(isOfUnix ? { mode: 0o040755 } : {}) };
  return { name, content: CONTENTS[at % CONTENTS.length] ?? '', ...form, ...(isOfUnix ? { mode: 0o100644 } : {}) };
}
