import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Names that were replaced by the terms of the field, and what to write now. */
const REPLACED: Readonly<Record<string, string>> = {
  asker: 'caller',
  Asker: 'Caller',
  askers: 'callers',
  hindrance: 'missingPermission',
  Hindrance: 'MissingPermission',
  keeper: 'reconciler',
  Keeper: 'Reconciler',
  KeptHome: 'ReconciledHome',
  lookThrough: 'scan',
  LookThrough: 'Scan',
  chores: 'maintenance',
  Chores: 'Maintenance',
  unhurried: 'backgroundDisk',
  pace: 'throttle',
  Pace: 'Throttle',
  shutOut: 'blockReason',
  takeTurns: 'serializePipelined',
  UploadTurn: 'ChunkTurn',
  Piece: 'UploadChunk',
  receivePiece: 'receiveAt',
  tintOf: 'avatarColour',
  wordsOf: 'tokenize',
  saying: 'toControlError',
  uncarried: 'treeDiff',
  carryStored: 'copyStoredVia',
  keepAs: 'retainAs',
  keptPath: 'previousContentPath',
  keptReads: 'cachedReads',
  givenItems: 'sharedOrLinkedItems',
  moveBetween: 'moveAcrossHomes',
  copyBetween: 'copyAcrossHomes',
  handOver: 'inheritFile',
  withHanded: 'withInherited',
  withTrail: 'withOpenPath',
  openTrail: 'openPath',
  trailOf: 'breadcrumbsOf',
  oddNamesIn: 'undecodableNamesIn',
  isolated: 'bidiIsolate',
  stillness: 'unchangedSince',
  course: 'job',
  tellBackup: 'reportBackup',
  fileRows: 'database.files',
  PlaceWanted: 'RequestedLocation',
  AllowedPlace: 'AllowedLocation',
  checkPlace: 'checkLocation',
  placesFor: 'rootsFor',
  HandOn: 'ReshareRights',
  handOn: 'reshare',
  isStanding: 'isPermanent',
  Said: 'Submitted',
  Told: 'AnnouncedRecord',
  TakenUploads: 'CompletedUploads',
  handedFile: 'inheritedFile',
  openHanded: 'openInherited',
  mayMend: 'mayRepair',
  MendedByOpening: 'FixedByOpening',
  knowWay: 'ensurePathRows',
  knowFolder: 'ensureFolderRows',
  evenUnwritten: 'allowStaleRows',
  heededHeaders: 'honouredHeaders',
  picturing: 'thumbnailParts',
  overAs: 'replaceAction',
  isHeard: 'isAnnounced',
  hearQuestionsOnly: 'acceptQueriesOnly',
  isWorthTelling: 'isWorthReporting',
  PATIENCE: 'TIMEOUT',
  givenFrom: 'sharedOrLinkedFrom',
  GivenList: 'SharedOrLinkedList',
  GivenPage: 'SharedOrLinkedPage',
  FolderWord: 'FolderDescription',
  momentInWords: 'relativeTime',
  openDoor: 'openPageBridge',
};

/** Words and turns of phrase of comments that plain English does without, and what to write. */
const IN_COMMENTS: Readonly<Record<string, string>> = {
  whoever: 'anyone who, or the role: caller, owner, visitor',
  somebody: 'someone, or the role: caller, owner, visitor',
  'any more': 'no longer',
  anymore: 'no longer',
  anew: 'again',
  'for good': 'permanently',
  'of nobody': 'without an owner',
  asker: 'caller',
  askers: 'callers',
  heard: 'received, noticed',
  hindrance: 'missing permission',
  'looked at': 'checked, read',
  'looked through': 'scanned',
  'what stands': 'what is',
  'takes its place': 'replaces it',
};

const REPLACED_FILES =
  /^(?:kept|odd|uncarried|carry|moved-out|.*-between|trails|heard|saying|course|chores|keeper|pace|guesses|tint|turns|words|isolated|patience|framing|moments|leaves|findings|who|tell|occupied-by|look-through|way)\.ts$/;

function sources(folders: readonly string[] = ['server', 'web-client', 'renderer', 'main']): string[] {
  return folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:[cm]?ts|tsx|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Code and comments; texts for people are checked where they are written. */
function withoutStrings(text: string): string {
  return text.replace(/'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g, "''");
}

it('uses the terms of the field in identifiers', () => {
  const names = new RegExp(`(?<![\\w$.-])(${Object.keys(REPLACED).join('|')})(?![\\w$])`, 'g');
  const found = sources().flatMap((file) =>
    [...withoutStrings(readFileSync(file, 'utf8')).matchAll(names)].map(
      ([name]) => `${file.slice(ROOT.length)}: "${name}" is called "${REPLACED[name]}"`,
    ),
  );
  expect([...new Set(found)]).toEqual([]);
});

/** The text of comments: lines that begin as one, and those behind code. */
function commentsIn(text: string): string {
  const lines = text.matchAll(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/|\{\/\*)(.*)$|\/\*\*? (.*?) \*\//gm);
  return [...lines].map(([, line, inner]) => (line ?? inner ?? '').trim()).join(' ');
}

it('uses plain English in comments', () => {
  const words = new RegExp(`\\b(${Object.keys(IN_COMMENTS).join('|')})\\b`, 'gi');
  const found = [...sources(), ...sources(['test/support', 'test/mutation', 'test/architecture'])].flatMap((file) =>
    [...commentsIn(readFileSync(file, 'utf8')).matchAll(words)].map(
      ([name]) => `${file.slice(ROOT.length)}: instead of "${name}": ${IN_COMMENTS[name.toLowerCase()]}`,
    ),
  );
  expect([...new Set(found)]).toEqual([]);
});

/** The clearest of these words in names of tests. */
const IN_NAMES =
  /\b(?:it|describe|test)\b[^'\n]*\(\s*'[^'\n]*?\b(whoever|any more|for good|anew|askers?|hindrance)\b/gi;

it('uses plain English in names of tests', () => {
  const found = sources(['test']).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IN_NAMES)].map(([, name]) => `${file.slice(ROOT.length)}: "${name}"`),
  );
  expect(found).toEqual([]);
});

it('uses the terms of the field in file names', () => {
  const files = sources().filter((file) => /[\\/](?:server|web-client)[\\/]/.test(file));
  expect(files.filter((file) => REPLACED_FILES.test(basename(file)))).toEqual([]);
});

it('would find what it forbids', () => {
  expect(withoutStrings('const asker = 1;')).toMatch(/\basker\b/);
  expect(withoutStrings("say('asker')")).not.toMatch(/asker/);
  expect(REPLACED_FILES.test('copy-between.ts')).toBe(true);
  expect(commentsIn('/**\n * not any\n * more\n */\nconst more = 1; // later')).toMatch(/\bany more\b/);
  expect(`it.each(ROWS)('is made ${'anew'}: %s', () => 1)`).toMatch(IN_NAMES);
  expect(commentsIn("const text = 'whoever';\n  // whoever")).toBe('whoever');
});
