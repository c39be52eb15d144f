/**
 * What separates the cells of a CSV file: of comma, semicolon and tab, the one that the first line uses most outside of quotes. Each of
 * them may be within cells, too.
 */
export function csvSeparator(csv: string): string {
  const [header = ''] = /^\s*(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(csv.slice(0, 10_000)) ?? [];
  const bare = header.replace(/"(?:[^"]|"")*"/g, '');
  const count = (separator: string) => bare.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
