/** Where an entry is in an export. */
export interface EntryPlace {
  /** `Google Photos` or another product of Google; empty for an archive that was packed again without these folders. */
  readonly product: string;
  /** The folders between the product and the file. */
  readonly folders: readonly string[];
  readonly name: string;
}

/** What the folder of the photos is called in most languages; others are recognised by what is in them. */
const PHOTOS_PRODUCT = /^google[\s_-]*(?:photo|foto|фото|φωτο|フォト|相簿|相册|照片|포토)/iu;

export function placeOf(path: string): EntryPlace {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  if (segments[0]?.toLowerCase() === 'takeout') return { product: segments[1] ?? '', folders: segments.slice(2), name };
  const [first = ''] = segments;
  if (PHOTOS_PRODUCT.test(first)) return { product: first, folders: segments.slice(1), name };
  return { product: '', folders: segments, name };
}

/** Whether a product is known by its name as the one with the photos. */
export function isPhotosProduct(product: string): boolean {
  return product === '' || PHOTOS_PRODUCT.test(product);
}

/** Whether a folder is called as that of the photos is in most languages. */
export function isNamedAsPhotos(folder: string): boolean {
  return PHOTOS_PRODUCT.test(folder);
}

export function isJson(name: string): boolean {
  return name.toLowerCase().endsWith('.json');
}
