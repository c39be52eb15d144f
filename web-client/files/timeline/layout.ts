// Where the photos of a timeline are: months one below the other, each with rows of photos that keep their proportions. Nothing here
// touches the document.

/** A month of the timeline. */
export interface Month {
  /** Such as `2024-03`. */
  readonly id: string;
  readonly name: string;
  readonly photos: number;
  readonly films: number;
  /** The index of its first photo among all, and how many photos and films it has. */
  readonly start: number;
  readonly count: number;
}

/** A row of photos: their indexes, the last one not included, and where it is in its month, in CSS pixels. */
export interface Line {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly height: number;
}

/** Sizes in CSS pixels. */
export interface Measures {
  readonly width: number;
  /** The least height of a row; the same as in `fitted.css`. */
  readonly row: number;
}

/** Of a photo whose size is not known yet. */
const USUAL = 4 / 3;
/** CSS pixels: between photos, of a heading, and below a month. */
export const GAP = 8;
export const HEAD = 44;
const BELOW = 24;
/** How much higher than its least height a row becomes at most, as in `fitted.css`. */
const GROWTH = 2.4;

export function createLayout(months: readonly Month[], total: number) {
  const ratios = new Float32Array(total).fill(USUAL);
  const lines: (readonly Line[])[] = months.map(() => []);
  /** Of each month, and of the end. */
  const tops = new Float64Array(months.length + 1);
  const stale = new Set<number>(months.keys());
  let measures: Measures = { width: 0, row: 1 };

  function linesOf({ start, count }: Month): Line[] {
    const { width, row } = measures;
    const made: Line[] = [];
    let top = HEAD;
    for (let from = start; from < start + count; ) {
      let [to, sum] = [from, 0];
      // As browsers wrap flexible boxes: as many as fit at the least height.
      while (to < start + count && (to === from || (sum + (ratios[to] ?? 0)) * row + (to - from) * GAP <= width)) {
        sum += ratios[to] ?? 0;
        to += 1;
      }
      const full = (width - (to - from - 1) * GAP) / sum;
      // The last row of a month is not stretched.
      const height = to < start + count ? Math.min(full, row * GROWTH) : Math.min(full, row);
      made.push({ from, to, top, height });
      top += height + GAP;
      from = to;
    }
    return made;
  }

  /** The index of the month at an index of photos, or at a height. */
  const monthWhere = (isBefore: (month: number) => boolean): number => {
    let [low, high] = [0, months.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (isBefore(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  return {
    months,
    lines: (month: number): readonly Line[] => lines[month] ?? [],
    topOf: (month: number): number => tops[month] ?? 0,
    height: (): number => tops[months.length] ?? 0,
    ratioOf: (index: number): number => ratios[index] ?? USUAL,
    monthOf: (index: number): number => monthWhere((month) => (months[month]?.start ?? 0) <= index),
    monthAt: (y: number): number => monthWhere((month) => (tops[month] ?? 0) <= y),
    /** The row of a photo. */
    lineOf(index: number): { readonly month: number; readonly line: Line | undefined } {
      const month = monthWhere((one) => (months[one]?.start ?? 0) <= index);
      return { month, line: lines[month]?.find(({ to }) => index < to) };
    },
    setRatio(index: number, ratio: number): void {
      if (Math.abs((ratios[index] ?? 0) - ratio) < 0.001) return;
      ratios[index] = ratio;
      stale.add(monthWhere((month) => (months[month]?.start ?? 0) <= index));
    },
    measure(next: Measures): void {
      if (next.width === measures.width && next.row === measures.row) return;
      measures = next;
      for (const month of months.keys()) stale.add(month);
    },
    /** @returns whether anything has changed */
    update(): boolean {
      if (stale.size === 0) return false;
      for (const month of stale) {
        const one = months[month];
        if (one !== undefined) lines[month] = linesOf(one);
      }
      stale.clear();
      for (const month of months.keys()) {
        const last = lines[month]?.at(-1);
        tops[month + 1] = (tops[month] ?? 0) + (last === undefined ? HEAD : last.top + last.height) + BELOW;
      }
      return true;
    },
  };
}
