import ExifReader from 'exifreader';

/** What the reader of EXIF makes of a value: as it stands, and in words. */
interface Tag {
  readonly value: unknown;
  readonly description: unknown;
}

/** EXIF, IPTC and places of a small file, without anything that the reader could make of thumbnails and makers' notes. */
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
    this.latitude = gps?.Latitude;
    this.longitude = gps?.Longitude;
  }

  /** Text as it stands in EXIF: several are one behind the other. */
  text(name: string): string | undefined {
    const { value, description } = this.#exif[name] ?? {};
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) {
      return value.filter((part) => part.trim() !== '').join('; ');
    }
    return typeof description === 'string' ? description : undefined;
  }

  /** The parts of a text in which semicolons stand between several. */
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

  iptc(name: string): string[] {
    const tags = this.#iptc[name];
    const all = tags === undefined ? [] : Array.isArray(tags) ? (tags as readonly Tag[]) : [tags as Tag];
    return all.flatMap(({ description }) => (typeof description === 'string' ? [description] : []));
  }
}

function isRational(name: string): boolean {
  return name !== 'ISOSpeedRatings';
}

/** The reader of EXIF says by an error that there is nothing. */
function tagsIn(file: Buffer) {
  try {
    return ExifReader.load(file, { expanded: true, includeTags: { exif: true, iptc: true, gps: true } });
  } catch {
    return {};
  }
}
