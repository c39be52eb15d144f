/** What is sent where something else was meant: each has broken some server before. */

const LONG = 'a'.repeat(5_000);

/** Where a path or a name is meant. */
export const HOSTILE_PATHS: readonly string[] = [
  ...['..', '../', '../../../../etc/passwd', '/etc/passwd', '/ROOT/../../etc/passwd', '/ROOT/HOME/../../.larder'],
  ...[
    '/ROOT/HOME/%2e%2e/%2e%2e/etc/passwd',
    '/ROOT/HOME/..%2f..%2fetc',
    '/ROOT/HOME/....//....//etc',
    '..\\..\\windows',
  ],
  ...['/ROOT/HOME/\\..\\..\\x', 'C:\\Windows\\win.ini', '\\\\server\\share', '//server/share', 'file:///etc/passwd'],
  ...['/ROOT/HOME/a\u0000.txt', '/ROOT/HOME/.larder', '/ROOT/HOME/.larder-home', '/proc/self/environ', '/dev/zero'],
  ...['/ROOT/HOME/out', '/ROOT/HOME/out/canary.txt', '/ROOT/HOME/CON', '/ROOT/HOME/nul.txt', '/ROOT/HOME/a:b'],
  ...['/ROOT/HOME/.', '/ROOT/HOME/./a', '/ROOT//HOME', '/ROOT/HOME//', '/root/home', '/ROOT/HOME/\u202etxt.exe'],
  ...['/ROOT/2', '/ROOT/-1', '/ROOT/999999', '/ROOT/SHARED', '/LINKS', '/STARRED', '/SHARES', '/TRASH', '/'],
  ...[`/ROOT/HOME/${LONG}`, `/ROOT/HOME/${'a/'.repeat(2_000)}`, '/ROOT/HOME/e\u0301', '/ROOT/HOME/\u00e9'],
];

/** Where anything is meant. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '\t',
    '0',
    '-1',
    '1e309',
    'NaN',
    '9007199254740993',
    '0x10',
    '1.5',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
  ],
  ...["' OR 1=1 --", "'; DROP TABLE items; --", '" OR ""="', '\\', '%', '_', '%00', '1; SELECT load_extension(1)'],
  ...['"', '"a" NEAR/0 "b"', 'a* OR *', 'title: x', '(((((', 'NOT', 'AND OR NOT', '^a', '-a', '{a b}: c'],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '{{7*7}}',
    `$${'{7*7}'}`,
    '#{7*7}',
    'javascript:alert(1)',
  ],
  ...[
    'a\r\nLarder-Mark: x',
    'a\nLarder-Mark: 1',
    '%0d%0aLarder-Mark:%20y',
    '=HYPERLINK("http://x")',
    '+1+1',
    '@SUM(1)',
    '-2+3',
  ],
  ...['\u0000', '\uD800', '\uFFFF', '\u202e', '\u200b', 'e\u0301'.repeat(500), '😀'.repeat(1_000), LONG],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', '$where', '$gt'],
];

/** Whole numbers. */
export const HOSTILE_NUMBERS: readonly string[] = [
  ...['0', '-1', '1', '2147483647', '2147483648', '-2147483649', '9007199254740991', '9223372036854775808', '1e3', '١'],
];
