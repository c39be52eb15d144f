/** Most makers stand at the beginning of the model too. */
export function cameraOf(make = '', model = ''): string {
  const [maker, name] = [make.trim(), model.trim()];
  const [word = ''] = maker.split(/\s/);
  return name.toLowerCase().startsWith(word.toLowerCase()) ? name : `${maker} ${name}`;
}
