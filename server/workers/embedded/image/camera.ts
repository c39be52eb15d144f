/** Most models begin with the make. */
export function cameraOf(make = '', model = ''): string {
  const [maker, name] = [make.trim(), model.trim()];
  const [word = ''] = maker.split(/\s/);
  return name.toLowerCase().startsWith(word.toLowerCase()) ? name : `${maker} ${name}`;
}
