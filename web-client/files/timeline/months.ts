// The months of the timeline.

import type { TileSection } from '../tiles/layout.ts';

/** A month of the timeline. */
export interface Month extends TileSection {
  /** Such as `2024-03`. */
  readonly id: string;
  readonly name: string;
  readonly photos: number;
  readonly films: number;
}
