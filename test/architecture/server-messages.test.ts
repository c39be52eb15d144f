import { expect, it } from 'vitest';
import {
  below,
  isNode,
  LETTERS,
  type Node,
  nameOf,
  parsed,
  SENTENCE,
  type Source,
  sourcesIn,
  textOf,
} from './syntax.ts';

/** What takes a text for people, and the position of it among the arguments. */
const TAKES_TEXT: Readonly<Record<string, number>> = {
  ApiError: 1,
  ChunkGap: 1,
  ControlError: 1,
  FieldProblem: 1,
  AccountProblem: 1,
  ClientProblem: 1,
  invalidParameter: 1,
  BackupProblem: 0,
  ConfigProblem: 0,
  DatabaseLost: 0,
  FolderMissing: 0,
  FolderProblem: 0,
  MailProblem: 0,
  NotReached: 0,
  UnfitFolder: 0,
  UsageProblem: 0,
  OAuthError: 0,
  InvalidClientError: 0,
  InvalidGrantError: 0,
  InvalidRequestError: 0,
  InvalidScopeError: 0,
  UnsupportedGrantTypeError: 0,
  oauthFailureBody: 1,
  errorRedirect: 2,
  denied: 0,
  fail: 3,
  note: 0,
  problem: 0,
  print: 0,
  refused: 0,
  write: 0,
};

/** The literals that an expression may be. */
function* literalsOf(node: unknown): Generator<string> {
  if (!isNode(node)) return;
  const text = textOf(node);
  if (text !== null && LETTERS.test(text)) yield text;
  if (node.type === 'ConditionalExpression') {
    yield* literalsOf(node.consequent);
    yield* literalsOf(node.alternate);
  } else if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
    yield* literalsOf(node.left);
    yield* literalsOf(node.right);
  }
}

function givenTo({ path, program }: Source): string[] {
  return [...below(program)].flatMap(([node]) => {
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return [];
    const name = nameOf(node.callee);
    const at = Object.hasOwn(TAKES_TEXT, name) ? (TAKES_TEXT[name] ?? -1) : -1;
    const isPrinted = name !== 'write' || /^std(?:out|err)$/.test(nameOf((node.callee as Node).object));
    const given = isPrinted ? [...literalsOf((node.arguments as unknown[])[at])] : [];
    return given.filter((text) => !PROGRAM.includes(text)).map((text) => `${path}: ${name}: ${text}`);
  });
}

/** What is no text: the name of the program before an error. */
const PROGRAM = ['larder: •\n'];

const INTERNAL = /^(?:Error|TypeError|RangeError|JobError|FlushFailure|ScopeGuard)$/;
const LOGGED = /^(?:fatal|error|warn|info|debug|trace)$/;
/** Of the description of the API, which is not translated. */
const DESCRIBED = /^(?:describe|meta)$/;

/** Whether the text is read by programmers or administrators, or by no one. */
function isInternal(above: readonly Node[]): boolean {
  if (above.at(-1)?.type === 'TaggedTemplateExpression') return true;
  return above.some((node) => {
    if (node.type === 'Property') return /^(?:summary|description)$/.test(nameOf(node.key));
    if (node.type === 'NewExpression') return INTERNAL.test(nameOf(node.callee));
    if (node.type !== 'CallExpression') return false;
    const name = nameOf(node.callee);
    return LOGGED.test(name) || DESCRIBED.test(name);
  });
}

/** Files with sentences of their own. */
const EXEMPT = new Set([
  // Runs when a process has no files left to load a catalogue with.
  'server/storage/installation/descriptors.ts',
]);

/** Names of roots that clients get as they are, names of clients, the marker of a folder, and what is logged or describes the API. */
const NAMES = [
  'My Files',
  'My files',
  'Shared with me',
  'My shares',
  'My links',
  'Control panel console',
  'Larder mobile apps',
  'Backups of Larder are kept here.\n',
  'Larder cannot be announced on the network',
  'Operations that require "•"',
  // The reason phrase that tus gives to the status 460.
  'Checksum Mismatch',
];

/** Challenges of HTTP authentication. */
const CHALLENGE = /^(?:Basic|Bearer) /;

function sentencesIn({ path, program }: Source): string[] {
  // Readers of formats name what they find in files.
  if (EXEMPT.has(path) || path.startsWith('server/workers/')) return [];
  return [...below(program)].flatMap(([node, above]) => {
    const text = textOf(node);
    return text !== null && SENTENCE.test(text) && !NAMES.includes(text) && !CHALLENGE.test(text) && !isInternal(above)
      ? [`${path}: ${text}`]
      : [];
  });
}

const sources = sourcesIn('server');

it('errors and output of the server have the texts of the catalogue', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap(givenTo)).toEqual([]);
});

it('no sentences exist outside of the catalogue', () => {
  expect(sources.flatMap(sentencesIn)).toEqual([]);
});

it('the check finds literals in place of messages, and sentences', () => {
  const source = (text: string): Source => ({ path: 'a', program: parsed('a.ts', text) });
  expect(givenTo(source("throw new ApiError('not_found', 'gone');"))).toEqual(['a: ApiError: gone']);
  expect(givenTo(source("throw new ControlError('refused', isNew ? t('a.b') : `no one`);"))).toHaveLength(1);
  expect(givenTo(source("process.stdout.write('gone'); stream.write('gone');"))).toHaveLength(1);
  expect(givenTo(source("throw new ApiError('not_found', t('a.b'));"))).toEqual([]);
  expect(sentencesIn(source("const text = 'There is none.';"))).toEqual(['a: There is none.']);
  expect(sentencesIn(source("log.warn({ a }, 'There is none.'); throw new Error('There is none.');"))).toEqual([]);
});
