/** Extensions of the same format. All others stand for themselves. */
const SAME: readonly ReadonlySet<string>[] = [
  ['jpg', 'jpeg', 'jpe'],
  ['tif', 'tiff'],
  ['heic', 'heif'],
  ['htm', 'html'],
  ['mpg', 'mpeg'],
  ['mid', 'midi'],
  ['aif', 'aiff'],
  ['md', 'markdown'],
  ['yml', 'yaml'],
].map((extensions) => new Set(extensions));

/** The extensions of the format of a file, each with its dot, as a file input accepts them; none for a name without an extension. */
export function extensionsLike(name: string): string[] {
  const dot = name.lastIndexOf('.');
  const own = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  if (own === '') return [];
  return [...(SAME.find((extensions) => extensions.has(own)) ?? [own])].map((extension) => `.${extension}`);
}

/** Whether a file can become a new version of another one, as far as their names tell. */
export function isSameFormat(name: string, other: string): boolean {
  const like = extensionsLike(name);
  return like.length === 0 || extensionsLike(other).some((extension) => like.includes(extension));
}
