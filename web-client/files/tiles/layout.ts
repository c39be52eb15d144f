// Where tiles are: sections one below the other, each with lines of tiles that keep their proportions. Nothing here touches the
// document.

/** Tiles that belong together: the index of the first among all, and how many there are. */
export interface TileSection {
  readonly start: number;
  readonly count: number;
}

/** A line of tiles: their indexes, the last one not included, and where it is in its section, in CSS pixels. */
export interface Line {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly height: number;
}

/** In CSS pixels, in its section. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Sizes in CSS pixels. */
export interface Measures {
  readonly width: number;
  /** The least height of a line of pictures; the same as in the styles. */
  readonly row: number;
  /** Width to height of a file without a picture. */
  readonly plain: number;
  /** Folders in a line, and the width of each. */
  readonly folders: { readonly across: number; readonly width: number };
}

interface Spacing {
  /** CSS pixels: of the heading of a section, and below a section. */
  readonly head: number;
  readonly below: number;
}

/** What a tile shows: a folder, a file without a picture, or a picture by its width to height, which is greater than zero. */
export type Shape = number;
export const FOLDER: Shape = 0;
export const PLAIN: Shape = -1;

/** Of a picture whose size is not known yet. */
const USUAL = 4 / 3;
/** CSS pixels between tiles. */
const GAP = 8;
/** The height of folders in CSS pixels, as in `gallery.css`. */
const FOLDER_HEIGHT = 54;
/** How much higher than its least height a line becomes at most, as in `fitted.css`. */
const GROWTH = 2.4;

/** The least of some numbers from zero for which a condition holds, which holds for all greater ones; `count` if there is none. */
function firstOf(count: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function createLayout<Section extends TileSection>(
  sections: readonly Section[],
  total: number,
  { head, below }: Spacing,
) {
  /** As they are known, and with what is supposed of the others. */
  const known = new Float32Array(total).fill(Number.NaN);
  const shapes = new Float32Array(total).fill(USUAL);
  const lines: (readonly Line[])[] = sections.map(() => []);
  /** Of each section, and of the end. */
  const tops = new Float64Array(sections.length + 1);
  const stale = new Set<number>(sections.keys());
  let measures: Measures = { width: 0, row: 1, plain: 1, folders: { across: 1, width: 0 } };

  const ratioOf = (index: number): number => {
    const shape = shapes[index] ?? USUAL;
    return shape > 0 ? shape : measures.plain;
  };

  /** Folders and files without pictures are followed by more of their kind. */
  function suppose({ start, count }: Section): void {
    for (let index = start; index < start + count; index += 1) {
      const shape = known[index] ?? Number.NaN;
      const before = index === start ? USUAL : (shapes[index - 1] ?? USUAL);
      shapes[index] = Number.isNaN(shape) ? (before > 0 ? USUAL : before) : shape;
    }
  }

  const isFolder = (index: number): boolean => shapes[index] === FOLDER;

  function linesOf(section: Section): Line[] {
    suppose(section);
    const { width, row, folders } = measures;
    const end = section.start + section.count;
    const made: Line[] = [];
    let top = head;
    for (let from = section.start; from < end; ) {
      let [to, sum] = [from, 0];
      let height = FOLDER_HEIGHT;
      if (isFolder(from)) {
        while (to < end && to - from < folders.across && isFolder(to)) to += 1;
      } else {
        // As browsers wrap flexible boxes: as many as fit at the least height. Files begin on a new line.
        while (to < end && !isFolder(to) && (to === from || (sum + ratioOf(to)) * row + (to - from) * GAP <= width)) {
          sum += ratioOf(to);
          to += 1;
        }
        const full = (width - (to - from - 1) * GAP) / sum;
        // The last line of a section is not stretched.
        height = to < end ? Math.min(full, row * GROWTH) : Math.min(full, row);
      }
      made.push({ from, to, top, height });
      // Between folders and files, there is an empty line.
      top += height + (to < end && isFolder(from) && !isFolder(to) ? 2 * GAP : GAP);
      from = to;
    }
    return made;
  }

  const sectionOf = (index: number): number =>
    Math.max(0, firstOf(sections.length, (one) => (sections[one]?.start ?? 0) > index) - 1);

  function lineNumberOf(section: number, index: number): number {
    const all = lines[section] ?? [];
    return firstOf(all.length, (one) => (all[one]?.to ?? 0) > index);
  }

  /** @param line of the tile */
  function boxIn({ from, top, height }: Line, index: number): Box {
    if (isFolder(index)) {
      const { width } = measures.folders;
      return { left: (index - from) * (width + GAP), top, width, height };
    }
    let left = 0;
    for (let other = from; other < index; other += 1) left += ratioOf(other) * height + GAP;
    return { left, top, width: ratioOf(index) * height, height };
  }

  const middleIn = (line: Line, index: number): number => {
    const { left, width } = boxIn(line, index);
    return left + width / 2;
  };

  return {
    sections,
    topOf: (section: number): number => tops[section] ?? 0,
    height: (): number => tops[sections.length] ?? 0,
    sectionOf,
    sectionAt: (y: number): number => Math.max(0, firstOf(sections.length, (one) => (tops[one] ?? 0) > y) - 1),
    /** The first line of a section that ends below a height in it; undefined if there is none. */
    lineBelow(section: number, y: number): Line | undefined {
      const all = lines[section] ?? [];
      return all[firstOf(all.length, (one) => (all[one]?.top ?? 0) + (all[one]?.height ?? 0) > y)];
    },
    lastLine: (section: number): Line | undefined => lines[section]?.at(-1),
    /** The line of a tile. */
    lineOf(index: number): { readonly section: number; readonly line: Line | undefined } {
      const section = sectionOf(index);
      return { section, line: lines[section]?.[lineNumberOf(section, index)] };
    },
    boxIn,
    /** The nearest tile of the line above or below; -1 if there is none. */
    beside(index: number, direction: 1 | -1): number {
      const section = sectionOf(index);
      const number = lineNumberOf(section, index);
      const own = lines[section]?.[number];
      const next = lines[section]?.[number + direction] ?? lines[section + direction]?.at(direction > 0 ? 0 : -1);
      if (own === undefined || next === undefined) return -1;
      const middle = middleIn(own, index);
      let nearest = next.from;
      for (let other = next.from; other < next.to; other += 1) {
        const distance = Math.abs(middleIn(next, other) - middle);
        if (distance < Math.abs(middleIn(next, nearest) - middle)) nearest = other;
      }
      return nearest;
    },
    setShape(index: number, shape: Shape): void {
      if (Math.abs((known[index] ?? Number.NaN) - shape) < 0.001) return;
      known[index] = shape;
      stale.add(sectionOf(index));
    },
    measure(next: Measures): void {
      const { width, row, plain } = measures;
      if (next.width === width && next.row === row && next.plain === plain) return;
      measures = next;
      for (const section of sections.keys()) stale.add(section);
    },
    /** @returns whether anything has changed */
    update(): boolean {
      if (stale.size === 0) return false;
      for (const section of stale) {
        const one = sections[section];
        if (one !== undefined) lines[section] = linesOf(one);
      }
      stale.clear();
      for (const section of sections.keys()) {
        const last = lines[section]?.at(-1);
        tops[section + 1] = (tops[section] ?? 0) + (last === undefined ? head : last.top + last.height) + below;
      }
      return true;
    },
  };
}

export type Layout = ReturnType<typeof createLayout<TileSection>>;
