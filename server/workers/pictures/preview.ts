/** A JPEG inside a raw file. */
export interface Preview {
  /** Bytes from the start of the file. */
  readonly start: number;
  readonly length: number;
}

export interface Previews {
  readonly previews: readonly Preview[];
  /** The orientation in EXIF (1 to 8), for previews without their own. */
  readonly orientation: number;
}
