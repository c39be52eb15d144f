/**
 * A number that is free where those before it are mostly taken: the steps double until one is free, and are halved back to the
 * first that is. For n taken numbers about 2 · log₂ n questions. With gaps it is one that is free, not always the lowest.
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
