/** Extensions of the same format. All others stand for themselves. */
const SAME = 'jpg jpeg jpe,tif tiff,heic heif,htm html,mpg mpeg,mid midi,aif aiff,md markdown,yml yaml'
  .split(',')
  .map((extensions) => extensions.split(' '));

/** What follows a dot in `v1.2` or `12. March` is no extension. */
const EXTENSION = /.\.((?=.*[a-z])[a-z\d]{1,8})$/i;

/** The extensions of the format of a file, each with its dot, as a file input accepts them; none for a name without an extension. */
export function extensionsLike(name: string): string[] {
  const own = EXTENSION.exec(name)?.[1]?.toLowerCase();
  if (own === undefined) return [];
  return (SAME.find((extensions) => extensions.includes(own)) ?? [own]).map((extension) => `.${extension}`);
}

/** Whether a file can become a new version of another one, as far as their names tell. */
export function isSameFormat(name: string, other: string): boolean {
  const like = extensionsLike(name);
  return like.length === 0 || extensionsLike(other).some((extension) => like.includes(extension));
}
