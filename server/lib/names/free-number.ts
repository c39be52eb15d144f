/**
 * Finds a free number where lower ones are mostly taken: steps double until one is free, then a binary search finds the first
 * free one. For n taken numbers that takes about 2 · log₂ n queries. With gaps it may not be the lowest.
 * @param from the lowest that may be returned
 */
export async function freeNumber(isTaken: (number: number) => Promise<boolean>, from: number): Promise<number> {
  let taken = from - 1;
  let free = from;
  for (let step = 1; await isTaken(free); step *= 2) {
    taken = free;
    free += step;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}
