/** A JPEG in the file of a camera. */
export interface Preview {
  /** Bytes from the start of the file. */
  readonly start: number;
  readonly length: number;
}

export interface Previews {
  readonly previews: readonly Preview[];
  /** How the camera was held, as EXIF says it (1 to 8), for previews that do not say it themselves. */
  readonly orientation: number;
}
