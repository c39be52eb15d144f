/** The methods beside `OPTIONS`, in the order in which the header `Allow` lists them. */
export const METHOD_NAMES = [
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
] as const;

export type DavMethod = (typeof METHOD_NAMES)[number];
