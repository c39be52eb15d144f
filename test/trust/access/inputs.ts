import type { Call, Parameter } from '../values/description.ts';
import type { Asked, Channel } from '../values/probe.ts';

/** Where values go into a running server: parameters of the API, addresses and forms of the pages, file names, headers. */

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Of the parameters that hold others, some that they hold. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  data: ['data[username]', 'data[name]', 'data[email]', 'data[description]', 'data[logo_url]', 'data[expiration_date]'],
  perms: ['perms[homefolder]', 'perms[role]', 'perms[space_quota_max]', 'perms[upload_limit_types]'],
  meta: ['meta[1]', 'meta[-]'],
  fields: ['fields[1]', 'fields[x]'],
};

/** Whether a parameter is a path or the name of something: that is what leads out of a folder. */
export const takesPath = ({ name, choices }: Parameter) =>
  choices.length === 0 && /path|^target$|(?:To|Name|name|folder\])$|^alias$|logo/.test(name);

/**
 * Each parameter of each call, encoded as it should be and as it stands; what else the call needs is sensible.
 * @param bases what is put in front of a value where a path is meant, by turns
 */
export function parameterDoors(
  calls: readonly Call[],
  { chosen = () => true, bases = [''] }: { chosen?: (parameter: Parameter) => boolean; bases?: readonly string[] } = {},
): Channel[] {
  return calls
    .filter(({ method }) => method !== 'HEAD')
    .flatMap((call) =>
      call.parameters
        .flatMap((parameter) => [parameter, ...(HELD[parameter.name] ?? []).map((name) => ({ ...parameter, name }))])
        .filter(chosen)
        .flatMap((parameter) => doorsOf(call, parameter, bases)),
    );
}

function doorsOf(call: Call, parameter: Parameter, bases: readonly string[]): Channel[] {
  const others = call.parameters.filter(({ isRequired, name }) => isRequired && name !== parameter.name);
  const pairs = others.map(({ name, isList }): [string, string] => [isList ? `${name}[]` : name, sensible(name)]);
  if (call.path.includes('admin-users/'))
    pairs.push(['data[name]', 'x'], ['data[username]', 'someone'], ['generate_password', '1'], ['UID', '2']);
  const key = parameter.isList ? `${parameter.name}[]` : parameter.name;
  const rest = pairs.filter(([name]) => name !== key).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const isPath = takesPath(parameter) && !/name|alias|logo/i.test(parameter.name);
  let turn = 0;
  const asked = (query: string): Asked =>
    call.method === 'POST'
      ? { method: 'POST', path: `/api.php${call.path}`, headers: FORM, body: query }
      : { method: call.method, path: `/api.php${call.path}?${query}`, ...(call.method === 'PUT' ? { body: 'x' } : {}) };
  const ask = (encode: (text: string) => string) => (value: string) => {
    turn += 1;
    const base = isPath ? (bases[turn % bases.length] ?? '') : '';
    return asked([...rest, `${key}=${encode(`${base}${value}`)}`].join('&'));
  };
  const name = `${call.method} ${call.path} ${parameter.name}`;
  return [
    { name, ask: ask(encoded) },
    { name: `${name} as it stands`, ask: ask(asItStands) },
  ];
}

function sensible(name: string): string {
  if (/^paths?$/.test(name)) return '/ROOT/HOME/Work/file 2.txt';
  if (/To$|target/.test(name)) return '/ROOT/HOME/Music';
  if (/[nN]ame$/.test(name)) return 'named.txt';
  return '1';
}

/** A value that is no Unicode is sent as it would be by somebody who does not care. */
const encoded = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80');

/** What no request line or form can hold is encoded; nothing else is. */
export function asItStands(text: string): string {
  return text.replace(/[^!-~]|[#&+]/gu, (sign) => encodeURIComponent(sign.isWellFormed() ? sign : '?'));
}

/** Addresses themselves, and pages with a path in their query. @param link the page of a web link, from its first slash on */
export function pageDoors(link: string): Channel[] {
  const below = ['', 'assets/', 'panel/', 'files/', 'wl/', 'api.php/', 'api.php/files/', 'oauth2/logo/', 'account/'];
  const pages = [
    '/files/',
    '/files/item',
    '/files/download',
    '/files/thumbnail',
    '/files/film',
    '/files/view',
    '/files/content',
  ];
  const links = ['/wl/', '/wl/content', '/wl/get', '/wl/view', '/wl/thumbnail'];
  const query = link.slice(link.indexOf('?'));
  return [
    ...below.map((base) => inLine(`GET /${base}`, (value) => `/${base}${value}`)),
    ...[...pages, ...links].map((page) => inLine(`GET ${page}?path`, (value) => `${page}${query}&path=${value}`)),
    inLine('GET /account/sign-in?next', (value) => `/account/sign-in?next=${value}`),
  ];
}

/** What pages and the endpoints of OAuth read beside paths. */
export function formDoors(link: string): Channel[] {
  const query = link.slice(link.indexOf('?'));
  const read: [string, readonly string[]][] = [
    ['/files/?path=/ROOT/HOME', ['search', 'sort', 'order', 'view', 'page', 'done', 'names', 'at']],
    [`/wl/${query}`, ['fmode', 'page', 'sort', 'done']],
    ['/wl/?x=1', ['id']],
    ['/guest/?x=1', ['id']],
    ['/account/?x=1', ['done']],
    ['/account/reset?x=1', ['code']],
    ['/oauth2/authorize/?response_type=code', ['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge']],
  ];
  const token = [
    'username',
    'password',
    'scope',
    'client_id',
    'client_secret',
    'code',
    'redirect_uri',
    'refresh_token',
  ];
  return [
    ...read.flatMap(([page, names]) =>
      names.map((name) => inLine(`GET ${page} ${name}`, (value) => `${page}&${name}=${value}`)),
    ),
    ...token.flatMap((name) =>
      ['authorization_code', 'refresh_token', 'client_credentials'].map((grant) => ({
        name: `POST /oauth2/token/ ${grant} ${name}`,
        ask: (value: string) => ({
          method: 'POST',
          path: '/oauth2/token/',
          headers: FORM,
          body: `grant_type=${grant}&${name}=${encoded(value)}`,
        }),
      })),
    ),
  ];
}

/** What a server reads, writes down or hands on of what a client says about itself and its way. */
export function headerDoors(): Channel[] {
  const names = [
    ...['user-agent', 'referer', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'origin'],
    ...[
      'accept-language',
      'accept',
      'range',
      'if-none-match',
      'if-modified-since',
      'if-range',
      'x-http-method-override',
    ],
    ...['cookie', 'x-form-token', 'content-type', 'larder-attended'],
  ];
  return names.map((name) => ({
    name: `the header ${name}`,
    ask: (value) => ({
      method: 'GET',
      path: '/api.php/files/download?path=/ROOT/HOME/Work/file%202.txt',
      // What is no value of a header (RFC 9110 §5.5) a client cannot send.
      headers: { [name]: value.replace(/[^\t -~\u0080-\u00ff]/gu, '?') },
    }),
  }));
}

function inLine(name: string, path: (value: string) => string): Channel {
  return { name, ask: (value) => ({ method: 'GET', path: path(asItStands(value)) }) };
}

/** RFC 7578 §4.2: the file name of a part is what a client says, and no path. */
export function multipartDoors(): Channel[] {
  const quoted = (text: string) => text.replace(/["\p{Cc}]/gu, '_');
  const part = (disposition: string) => ({
    method: 'POST',
    path: '/api.php/files/upload?path=/ROOT/HOME/Work',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `--b\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n\r\nnew\r\n--b--\r\n`,
  });
  return [
    { name: 'the file name of a part', ask: (path) => part(`filename="${quoted(path)}"`) },
    { name: 'the encoded file name of a part', ask: (path) => part(`filename*=UTF-8''${asItStands(path)}`) },
  ];
}
