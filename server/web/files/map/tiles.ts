/** Where browsers load the map from, if not from here. */
export interface MapTiles {
  /** The template of the addresses, with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** The origin of all of these addresses. */
  readonly origin: string;
  readonly attribution: string;
  /** The largest zoom level. */
  readonly zoom: number;
}
