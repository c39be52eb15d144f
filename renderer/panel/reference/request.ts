import { quoted, type Terminal } from '../../parts/trust/terminal-lines.ts';
import type { CallForm, Method, Parameter } from './description.ts';

/** The input, by parameter name; lists have one entry per line. */
export type Values = Readonly<Record<string, string>>;

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The parameters to send: all required ones, and others with a value. */
export function pairsOf(parameters: readonly Parameter[], values: Values): Pair[] {
  return parameters.flatMap(({ name, kind, isRequired }) => {
    const value = values[name] ?? '';
    if (kind === 'file' || (value === '' && !isRequired)) return [];
    if (kind === 'list' || kind === 'choices') {
      const entries = linesOf(value);
      return entries.length === 0 ? [{ name, value: '' }] : entries.map((entry) => ({ name, value: entry }));
    }
    if (kind === 'keyed') return linesOf(value).map((line) => keyedPair(name, line));
    return [{ name, value }];
  });
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** `12=Passport` as `fields[12][]` with `Passport`. */
function keyedPair(name: string, line: string): Pair {
  const at = line.indexOf('=');
  const key = (at < 0 ? line : line.slice(0, at)).trim();
  return { name: `${name}[${key}][]`, value: at < 0 ? '' : line.slice(at + 1) };
}

interface Curl {
  readonly terminal: Terminal;
  /** Of the operation, relative to the installation's address. */
  readonly path: string;
  readonly method: Method;
  readonly callForm: CallForm;
  readonly pairs: readonly Pair[];
  /** Empty for none. */
  readonly fileName: string;
}

/** The request as a shell command, using the token from the command of a new client. */
export function curlOf({ terminal, path, method, callForm, pairs, fileName }: Curl): string {
  const query = new URLSearchParams(pairs.map(({ name, value }): [string, string] => [name, value])).toString();
  const isInAddress = callForm.sends === 'query' && query !== '';
  const address = `${terminal.address}${path}`;
  const target = quoted(isInAddress ? `${address}?${query}` : address);
  const parts = [
    `${terminal.curl} ${target}`,
    '-H "Authorization: Bearer $token"',
    ...(method === 'HEAD' ? ['--head'] : []),
    ...(method === 'POST' && pairs.length === 0 && fileName === '' ? ['-X POST'] : []),
    ...(callForm.sends === 'form'
      ? pairs.map(({ name, value }) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
      : []),
    ...(callForm.sends === 'multipart'
      ? pairs.map(({ name, value }) => `--form-string ${quoted(`${name}=${value}`)}`)
      : []),
    ...(fileName === '' ? [] : [method === 'PUT' ? `-T ${quoted(fileName)}` : `-F ${quoted(`file=@${fileName}`)}`]),
    ...(method === 'PUT' && fileName === '' ? ["-X PUT -d ''"] : []),
  ];
  return parts.join(' \\\n  ');
}

const LOSING: ReadonlySet<string> = new Set([
  'account/password',
  'admin-users/edit',
  'admin-users/delete',
  'files/comments/delete',
  'files/tags/remove',
  'files/delete',
  'files/trash/delete',
  'files/trash/empty',
  'files/versions/delete',
  'files/unshare',
  'files/unweblink',
]);

/** Whether to ask for confirmation, because the operation removes something that is not easily restored. */
export function losesSomething(path: string): boolean {
  return LOSING.has(path);
}
