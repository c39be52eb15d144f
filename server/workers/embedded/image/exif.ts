import ExifReader from 'exifreader';

/** A value of the EXIF reader: raw, and as text. */
interface Tag {
  readonly value: unknown;
  readonly description: unknown;
}

/** EXIF, IPTC and location of a small file, without thumbnails. */
export class ExifTags {
  readonly #exif: Readonly<Record<string, Tag | undefined>>;
  readonly #iptc: Readonly<Record<string, Tag | readonly Tag[] | undefined>>;
  /** Degrees. */
  readonly latitude: unknown;
  readonly longitude: unknown;

  constructor(file: Buffer | null) {
    const { exif, iptc, gps } = file === null ? {} : tagsIn(file);
    this.#exif = (exif ?? {}) as never;
    this.#iptc = (iptc ?? {}) as never;
    this.latitude = this.#directed(degreesOf(gps?.Latitude, this.#exif.GPSLatitude), 'GPSLatitudeRef', 'S');
    this.longitude = this.#directed(degreesOf(gps?.Longitude, this.#exif.GPSLongitude), 'GPSLongitudeRef', 'W');
  }

  /** The EXIF reader knows references in capitals only; programs write small letters and whole words, too. */
  #directed(degrees: unknown, reference: string, negative: string): unknown {
    const value = this.#exif[reference]?.value;
    const text = Array.isArray(value) ? String(value[0] ?? '') : '';
    if (typeof degrees !== 'number') return undefined;
    return text.trim().toUpperCase().startsWith(negative) ? -Math.abs(degrees) : degrees;
  }

  /** Text as in EXIF: several texts are concatenated. */
  text(name: string): string | undefined {
    const { value, description } = this.#exif[name] ?? {};
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) {
      return value.filter((part) => part.trim() !== '').join('; ');
    }
    return typeof description === 'string' ? description : undefined;
  }

  /** The parts of a text separated by semicolons. */
  list(name: string): string[] {
    return (this.text(name) ?? '').split(';');
  }

  /** A number, or the first of several; a fraction is divided. */
  number(name: string): number | undefined {
    const value = this.#exif[name]?.value;
    const [first, second] = Array.isArray(value) ? value : [value];
    if (typeof first !== 'number') return undefined;
    const number = Array.isArray(value) && value.length === 2 && isRational(name) ? first / second : first;
    return Number.isFinite(number) ? number : undefined;
  }

  /** What the camera wrote for itself, as bytes. */
  get makerNote(): Buffer {
    const value = this.#exif.MakerNote?.value;
    return Array.isArray(value) && value.every((part) => typeof part === 'number')
      ? Buffer.from(value)
      : Buffer.alloc(0);
  }

  iptc(name: string): string[] {
    const tags = this.#iptc[name];
    const all = tags === undefined ? [] : Array.isArray(tags) ? (tags as readonly Tag[]) : [tags as Tag];
    return all.flatMap(({ description }) => (typeof description === 'string' ? [description] : []));
  }
}

/**
 * Degrees, minutes and seconds, of which programs leave out the last or the last two.
 * @param read by the EXIF reader, which expects all three
 */
function degreesOf(read: unknown, tag: Tag | undefined): unknown {
  if (Number.isFinite(read)) return read;
  const value = Array.isArray(tag?.value) ? tag.value : [];
  // A single fraction is not in a list.
  const fractions: readonly unknown[] = value.every(Array.isArray) ? value : value.length === 2 ? [value] : [];
  const parts = fractions.map((one) => {
    const [over, under] = one as readonly unknown[];
    return typeof over === 'number' && typeof under === 'number' ? over / under : Number.NaN;
  });
  const isKnown = parts.length >= 1 && parts.length <= 3 && parts.every(Number.isFinite);
  return isKnown ? parts.reduce((sum, part, index) => sum + part / 60 ** index, 0) : undefined;
}

function isRational(name: string): boolean {
  return name !== 'ISOSpeedRatings';
}

/** The EXIF reader throws if there is nothing. */
function tagsIn(file: Buffer) {
  try {
    return ExifReader.load(file, { expanded: true, includeTags: { exif: true, iptc: true, gps: true } });
  } catch {
    return {};
  }
}
