import type { MadeRequest, Maker } from './made-request.ts';

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

/** A request with credentials that no program should send. None of them may be accepted. */
export function credentialsRequest(maker: Maker): MadeRequest {
  const { random, username } = maker;
  const real = maker.basic.slice('Basic '.length);
  const password = Buffer.from(real, 'base64')
    .toString()
    .slice(username.length + 1);
  const authorization = random.pick([
    ...['Basic', 'Basic ', 'Basic !!!!', 'Basic =', 'Basic ====', `Basic ${real} ${real}`, `Basic ${real},Bearer x`],
    ...[
      `Basic ${base64(username)}`,
      `Basic ${base64(':')}`,
      `Basic ${base64(`:${password}`)}`,
      `Basic ${base64(`${username}:`)}`,
    ],
    ...[`Basic ${base64(`${username}\0:${password}`)}`, `Basic ${base64(`${username}:${password}\0`)}`],
    ...[
      `Basic ${base64(`${username}:${password}:`)}`,
      `Basic ${base64(`${username}:x:${password}`)}`,
      `Basic ${base64(`x:${username}:${password}`)}`,
    ],
    ...[`Basic ${base64(`${username}:${'x'.repeat(4_000)}`)}`, `Basic ${base64(`${'x'.repeat(4_000)}:${password}`)}`],
    ...[
      `Basic ${base64(Buffer.from([0xff, 0xfe, 0x3a, 0xff]))}`,
      `Basic ${base64(`mia:${password}`)}`,
      `Basic ${base64('__proto__:constructor')}`,
    ],
    ...[
      `Basic ${base64(`${username}:${password.slice(0, -1)}`)}`,
      `Basic ${base64(`${username}' OR 1=1 --:${password}`)}`,
    ],
    ...[
      'Bearer',
      'Bearer ',
      `Bearer ${password}`,
      `Bearer ${maker.bearer}x`,
      `Digest username="${username}"`,
      'Negotiate YII=',
      '\u00ff',
    ],
  ]);
  const [method, path] = random.pick([
    ['PROPFIND', '/dav/'],
    ['PUT', '/dav/My%20files/new.txt'],
    ['DELETE', '/dav/My%20files/Photos'],
    ['PROPFIND', `/remote.php/dav/files/${username}/`],
    ['MKCOL', `/remote.php/dav/uploads/${username}/transfer-1`],
    ['PROPFIND', `/remote.php/dav/trashbin/${username}/trash`],
    ['SEARCH', '/remote.php/dav/'],
    ['GET', '/ocs/v2.php/cloud/user'],
    ['DELETE', '/ocs/v1.php/core/apppassword'],
    ['GET', '/core/preview?fileId=1'],
    ['GET', '/index.php/apps/files_trashbin/preview?fileId=1'],
    ['GET', `/avatar/${username}/64`],
    ['POST', '/tus/'],
    ['HEAD', '/tus/none'],
  ] as const);
  const headers = { authorization, 'ocs-apirequest': 'true', 'tus-resumable': '1.0.0', depth: '0' };
  return { method, path, headers, body: null };
}
