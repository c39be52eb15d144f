/** Requests that two readers could read in two ways, and one that is hidden in each of them. */

export interface Parts {
  /** A whole request that would make a folder. */
  readonly hidden: string;
  /** A header line, without its end. */
  readonly authorization: string;
  /** The target of an upload. */
  readonly carrier: string;
}

export interface Row {
  readonly what: string;
  readonly bytes: (parts: Parts) => string;
  /** Of the answers that a strict reader of RFC 9112 gives. */
  readonly statuses: readonly number[];
  /** Whether the hidden request is not hidden, but the next one. */
  readonly isCarriedOut?: boolean;
  /** Whether the hidden request is the content of a file then. */
  readonly isContent?: boolean;
}

const HOST = 'Host: 127.0.0.1\r\n';
const HEALTH = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`;
/** Shows that the reading goes on, and ends the connection where it does. */
const LAST = `GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;

const hex = (text: string) => text.length.toString(16);

/** An upload with these header lines in addition; what comes behind them is its body. */
const upload =
  (lines: string, body: (parts: Parts) => string) =>
  (parts: Parts): string =>
    `PUT ${parts.carrier} HTTP/1.1\r\n${HOST}${parts.authorization}\r\n${lines}\r\n\r\n${body(parts)}`;

/** A form with these header lines in addition. */
const form =
  (lines: string, body: (parts: Parts) => string) =>
  (parts: Parts): string =>
    `POST /api.php/account/info HTTP/1.1\r\n${HOST}${parts.authorization}\r\nContent-Type: application/x-www-form-urlencoded\r\n${lines}\r\n\r\n${body(parts)}`;

const health = (lines: string) => `GET /healthz HTTP/1.1\r\n${lines}\r\n\r\n`;

/** What a body that is none hides: for who goes by the length, an end of chunks and then a request; for who goes by chunks, too. */
const ended = ({ hidden }: Parts) => `0\r\n\r\n${hidden}${LAST}`;

export const GOOD_REQUESTS: readonly Row[] = [
  {
    what: 'three requests one behind the other',
    bytes: ({ hidden }) => HEALTH + hidden + LAST,
    statuses: [200, 200, 200],
    isCarriedOut: true,
  },
  {
    what: 'a request as a content with a length',
    bytes: (parts) => upload(`Content-Length: ${parts.hidden.length}`, () => parts.hidden + LAST)(parts),
    statuses: [201, 200],
    isContent: true,
  },
  {
    what: 'a request as a content in one chunk',
    bytes: upload('Transfer-Encoding: chunked', ({ hidden }) => `${hex(hidden)}\r\n${hidden}\r\n0\r\n\r\n${LAST}`),
    statuses: [201, 200],
    isContent: true,
  },
  {
    what: 'chunks with extensions, upper case, leading zeros and trailers that say something else',
    bytes: upload(
      'Transfer-Encoding: Chunked',
      ({ hidden }) =>
        `000001;a=b;c="d;e"\r\n${hidden.slice(0, 1)}\r\n${hex(hidden.slice(1)).toUpperCase()}\r\n${hidden.slice(1)}\r\n0;last\r\nHost: evil.example\r\nAuthorization: x\r\n\r\n${LAST}`,
    ),
    statuses: [201, 200],
    isContent: true,
  },
  {
    what: 'spaces and tabs before the word chunked',
    bytes: upload('Transfer-Encoding:\t  chunked', ({ hidden }) => `${hex(hidden)}\r\n${hidden}\r\n0\r\n\r\n${LAST}`),
    statuses: [201, 200],
    isContent: true,
  },
  {
    what: 'a request as the body of a GET',
    bytes: ({ hidden }) => health(`${HOST}Content-Length: ${hidden.length}`) + hidden + LAST,
    statuses: [200, 200],
  },
  {
    what: 'a request as the body of a GET, in chunks',
    bytes: ({ hidden }) =>
      `${health(`${HOST}Transfer-Encoding: chunked`)}${hex(hidden)}\r\n${hidden}\r\n0\r\n\r\n${LAST}`,
    statuses: [200, 200],
  },
  {
    what: 'a request as the body of one that is refused before it is read',
    bytes: ({ hidden }) =>
      `POST /api.php/files/upload HTTP/1.1\r\n${HOST}Content-Length: ${hidden.length}\r\n\r\n${hidden}${LAST}`,
    statuses: [401, 200],
  },
  {
    what: 'a request as the body of one to nowhere',
    bytes: ({ hidden }) => `PUT /nowhere HTTP/1.1\r\n${HOST}Content-Length: ${hidden.length}\r\n\r\n${hidden}${LAST}`,
    statuses: [404, 200],
  },
  {
    what: 'a request behind one that is the last one',
    bytes: ({ hidden }) => LAST + hidden,
    statuses: [200],
  },
  {
    what: 'a request behind one of HTTP/1.0',
    bytes: ({ hidden }) => `GET /healthz HTTP/1.0\r\n${HOST}\r\n${hidden}`,
    statuses: [200],
  },
  {
    what: 'a request behind one of HTTP/1.0 that wants to go on',
    bytes: ({ hidden }) => `GET /healthz HTTP/1.0\r\n${HOST}Connection: keep-alive\r\n\r\n${hidden}${LAST}`,
    statuses: [200, 200, 200],
    isCarriedOut: true,
  },
  {
    what: 'a request behind a wish for another protocol that is not granted',
    bytes: ({ hidden }) =>
      `${health(`${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__`)}${hidden}${LAST}`,
    statuses: [200],
  },
  {
    what: 'an empty line ahead (RFC 9112 §2.2)',
    bytes: () => `\r\n${LAST}`,
    statuses: [200],
  },
  {
    what: 'a whole address of ours',
    bytes: () => `GET https://127.0.0.1/healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    statuses: [200],
  },
  {
    what: 'a whole address of somebody else (RFC 9112 §3.2.2)',
    bytes: () => `GET https://evil.example/healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    statuses: [421],
  },
  {
    what: 'the Host of somebody else',
    bytes: () => health('Host: evil.example\r\nConnection: close'),
    statuses: [421],
  },
];

const refused = (rows: readonly (readonly [string, Row['bytes'], number?])[]): Row[] =>
  rows.map(([what, bytes, status = 400]) => ({ what, bytes, statuses: [status] }));

const withLength = (value: string) => form(`Content-Length:${value}`, ({ hidden }) => `a=b12${hidden}${LAST}`);
const withCoding = (lines: string) => upload(lines, ended);

export const BROKEN_REQUESTS: readonly Row[] = refused([
  ['a length and chunks', withCoding('Content-Length: 5\r\nTransfer-Encoding: chunked')],
  ['chunks and a length', withCoding('Transfer-Encoding: chunked\r\nContent-Length: 5')],
  ['chunks and a length of nothing', withCoding('Transfer-Encoding: chunked\r\nContent-Length: 0')],
  ['a coding that is almost chunked', withCoding('Transfer-Encoding: xchunked')],
  ['chunked with something behind it', withCoding('Transfer-Encoding: chunkedx')],
  ['chunked in quotes', withCoding('Transfer-Encoding: "chunked"')],
  ['chunked, and then another coding', withCoding('Transfer-Encoding: chunked, identity')],
  ['chunked twice', withCoding('Transfer-Encoding: chunked, chunked')],
  ['a coding that nobody knows, and then chunked', withCoding('Transfer-Encoding: gzip, chunked')],
  ['identity', withCoding('Transfer-Encoding: identity')],
  ['identity and a length', withCoding('Transfer-Encoding: identity\r\nContent-Length: 5')],
  ['an empty coding', withCoding('Transfer-Encoding:')],
  ['an empty coding and a length', withCoding('Transfer-Encoding:\r\nContent-Length: 5')],
  ['two codings in two lines', withCoding('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity')],
  ['the other way round', withCoding('Transfer-Encoding: identity\r\nTransfer-Encoding: chunked')],
  ['chunked in two lines', withCoding('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked')],
  ['a vertical tab before chunked', withCoding('Transfer-Encoding: \x0bchunked')],
  ['a NUL behind chunked', withCoding('Transfer-Encoding: chunked\x00')],
  ['a no-break space before chunked', withCoding('Transfer-Encoding: \xa0chunked')],
  ['a space before the colon', withCoding('Transfer-Encoding : chunked')],
  ['a tab before the colon', withCoding('Content-Length\t: 5')],
  ['a coding in a folded line', withCoding('Transfer-Encoding:\r\n chunked\r\nContent-Length: 5')],
  ['a folded coding of its own', withCoding('Transfer-Encoding: x\r\n chunked')],
  ['a length hidden in a folded line', withCoding('X-Fold: a\r\n Content-Length: 5\r\nTransfer-Encoding: identity')],
  ['a bare CR that hides a coding', withCoding('X: a\rTransfer-Encoding: chunked\r\nContent-Length: 5')],
  ['a bare LF that hides a coding', withCoding('X: a\nTransfer-Encoding: chunked\r\nContent-Length: 5')],
  ['a coding in HTTP/1.0', (parts) => withCoding('Transfer-Encoding: chunked')(parts).replace('HTTP/1.1', 'HTTP/1.0')],

  ['two lengths', withLength(' 5\r\nContent-Length: 0')],
  ['two lengths that are the same', withLength(' 5\r\nContent-Length: 5')],
  ['a list of lengths', withLength(' 5, 5')],
  ['a list of two lengths', withLength(' 5,0')],
  ['a length with a plus', withLength(' +5')],
  ['a length below nothing', withLength(' -5')],
  ['a length in hex', withLength(' 0x5')],
  ['a length with a space in it', withLength(' 5 0')],
  ['a length with a point', withLength(' 5.0')],
  ['a length with an exponent', withLength(' 5e0')],
  ['an empty length', withLength('')],
  ['a length of other digits', withLength(' \xb2')],
  ['a length above all numbers', withLength(` ${'9'.repeat(30)}`)],
  ['a length of 2^64 and 5', withLength(' 18446744073709551621')],

  ['line ends of LF only', ({ hidden }) => HEALTH.replaceAll('\r\n', '\n') + hidden + LAST],
  ['one line end of LF only', ({ hidden }) => health(`X: a\n${HOST.trim()}`) + hidden + LAST],
  ['line ends of CR only', ({ hidden }) => HEALTH.replaceAll('\r\n', '\r') + hidden + LAST],
  ['headers that end with LF', ({ hidden }) => `GET /healthz HTTP/1.1\r\n${HOST}\n${hidden}${LAST}`],
  ['two CR', ({ hidden }) => health(`X: a\r\r\n${HOST.trim()}`) + hidden + LAST],
  ['a bare CR in a header', ({ hidden }) => health(`X: a\rb\r\n${HOST.trim()}`) + hidden + LAST],
  ['a NUL in a header', ({ hidden }) => health(`X: a\0b\r\n${HOST.trim()}`) + hidden + LAST],
  ['a NUL in the name of a header', ({ hidden }) => health(`X\0: a\r\n${HOST.trim()}`) + hidden + LAST],
  ['a header without a name', ({ hidden }) => health(`: a\r\n${HOST.trim()}`) + hidden + LAST],
  ['a header without a colon', ({ hidden }) => health(`abc\r\n${HOST.trim()}`) + hidden + LAST],
  ['a space before the first header', ({ hidden }) => health(` X: a\r\n${HOST.trim()}`) + hidden + LAST],
  ['a name with a space', ({ hidden }) => health(`X Y: a\r\n${HOST.trim()}`) + hidden + LAST],
  ['a name that is not of ASCII', ({ hidden }) => health(`X\xe4: a\r\n${HOST.trim()}`) + hidden + LAST],

  ['two Hosts', ({ hidden }) => health('Host: 127.0.0.1\r\nHost: evil.example') + hidden + LAST],
  ['two Hosts, the good one last', ({ hidden }) => health('Host: evil.example\r\nHost: 127.0.0.1') + hidden + LAST],
  ['two Hosts that are the same', ({ hidden }) => health('Host: 127.0.0.1\r\nHost: 127.0.0.1') + hidden + LAST],
  [
    'a second Host behind 2,100 other headers',
    ({ hidden }) => health(`Host: 127.0.0.1\r\n${'x: y\r\n'.repeat(2_100)}Host: evil.example`) + hidden + LAST,
    431,
  ],
  ['no Host', ({ hidden }) => health('X: a') + hidden + LAST],

  ['HTTP/0.9', ({ hidden }) => `GET /healthz\r\n${hidden}`],
  ['HTTP/2', ({ hidden }) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`],
  ['HTTP/2.0 in a line', ({ hidden }) => HEALTH.replace('1.1', '2.0') + hidden],
  ['HTTP/1.2', ({ hidden }) => HEALTH.replace('1.1', '1.2') + hidden],
  ['HTTP/1.10', ({ hidden }) => HEALTH.replace('1.1', '1.10') + hidden],
  ['another protocol', ({ hidden }) => HEALTH.replace('HTTP/', 'ICE/') + hidden],
  ['a method that nobody knows', ({ hidden }) => HEALTH.replace('GET', 'GETS') + hidden],
  ['a method in lower case', ({ hidden }) => HEALTH.replace('GET', 'get') + hidden],
  ['a target with a space', ({ hidden }) => HEALTH.replace('healthz', 'heal thz') + hidden],
  ['a target without a slash', ({ hidden }) => HEALTH.replace('/healthz', 'healthz') + hidden],
  ['something behind the version', ({ hidden }) => HEALTH.replace('1.1', '1.1 x') + hidden],
  ['no HTTP at all', ({ hidden }) => `\x00\x01\x02\x03${hidden}`],
]);

const chunks = (body: (hidden: string) => string) => upload('Transfer-Encoding: chunked', ({ hidden }) => body(hidden));
const broken = (rows: readonly (readonly [string, Row['bytes']])[]): Row[] =>
  rows.map(([what, bytes]) => ({ what, bytes, statuses: [400] }));

export const BROKEN_CHUNKS: readonly Row[] = broken([
  ['a size below nothing', chunks((hidden) => `-5\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size with a plus', chunks((hidden) => `+5\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size with 0x', chunks((hidden) => `0x5\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size that is no number', chunks((hidden) => `five\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['no size', chunks((hidden) => `\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size with a space ahead', chunks((hidden) => ` 5\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size with a space behind', chunks((hidden) => `5 \r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size with a space in it', chunks((hidden) => `5 5\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size of 2^64 and 5', chunks((hidden) => `10000000000000005\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size of many digits', chunks((hidden) => `${'F'.repeat(40)}\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size that ends with LF', chunks((hidden) => `5\nhello\r\n0\r\n\r\n${hidden}`)],
  ['a size that ends with CR', chunks((hidden) => `5\rhello\r\n0\r\n\r\n${hidden}`)],
  ['an extension that ends with LF', chunks((hidden) => `5;x\nhello\r\n0\r\n\r\n${hidden}`)],
  ['an extension that ends with CR', chunks((hidden) => `5;x\rhello\r\n0\r\n\r\n${hidden}`)],
  ['an extension of 200 KB', chunks((hidden) => `5;${'x'.repeat(200_000)}\r\nhello\r\n0\r\n\r\n${hidden}`)],
  ['more bytes than the size', chunks((hidden) => `5\r\nhello!!\r\n0\r\n\r\n${hidden}`)],
  ['other bytes for the line end', chunks((hidden) => `5\r\nhelloXX0\r\n\r\n${hidden}`)],
  ['a chunk that ends with LF', chunks((hidden) => `5\r\nhello\n0\r\n\r\n${hidden}`)],
  ['chunks that end with LF', chunks((hidden) => `5\r\nhello\r\n0\n\n${hidden}`)],
  ['chunks that end with LF alone', chunks((hidden) => `5\r\nhello\r\n0\r\n\n${hidden}`)],
  ['a request among the trailers', chunks((hidden) => `5\r\nhello\r\n0\r\n${hidden}`)],
  ['a length among the trailers', chunks((hidden) => `5\r\nhello\r\n0\r\nContent-Length: 5\r\n\r\n${hidden}`)],
  ['a coding among the trailers', chunks((hidden) => `0\r\nTransfer-Encoding: identity\r\n\r\n${hidden}`)],
  ['a trailer with a NUL', chunks((hidden) => `5\r\nhello\r\n0\r\nX: \0\r\n\r\n${hidden}`)],
  ['trailers of 200 KB', chunks((hidden) => `5\r\nhello\r\n0\r\nX: ${'x'.repeat(200_000)}\r\n\r\n${hidden}`)],
]);
