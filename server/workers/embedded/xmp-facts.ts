import { embeddedDateOf } from './dates.ts';
import { MetadataResult } from './metadata-result.ts';
import { xmpDegrees, xmpIn } from './xmp.ts';

type XmpProperties = ReadonlyMap<string, readonly string[]>;

/** When and where a photo was taken, as XMP says. */
export function addXmpOrigin(result: MetadataResult, xmp: XmpProperties): void {
  const one = (name: string) => xmp.get(name)?.[0];
  for (const name of ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate']) {
    result.taken('image.taken', embeddedDateOf(one(name)));
  }
  result.place(
    'image.place',
    xmpDegrees(one('exif:GPSLatitude'), one('exif:GPSLatitudeRef')),
    xmpDegrees(one('exif:GPSLongitude'), one('exif:GPSLongitudeRef')),
  );
}

/** What a file of XMP beside a photo says of it, cleaned. What is no XMP says nothing. */
interface XmpFacts {
  /** Milliseconds since 1970; null if unknown. */
  readonly takenAt: number | null;
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  /** Empty if there is none. */
  readonly title: string;
  readonly description: string;
  readonly keywords: string[];
}

export function xmpFactsIn(text: string): XmpFacts {
  const xmp = xmpIn(Buffer.from(text));
  const result = new MetadataResult();
  addXmpOrigin(result, xmp);
  result.first('image.title', xmp.get('dc:title')?.[0]);
  result.first('image.description', xmp.get('dc:description')?.[0]);
  result.add('image.keywords', ...(xmp.get('dc:subject') ?? []));
  const { fields, takenAt, place } = result.all();
  const valuesOf = (name: string) => fields.find(({ key }) => key === name)?.values ?? [];
  const [[title = ''], [description = '']] = [valuesOf('image.title'), valuesOf('image.description')];
  return { takenAt, place, title, description, keywords: valuesOf('image.keywords') };
}
