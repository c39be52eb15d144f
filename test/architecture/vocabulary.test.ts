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
};

const REPLACED_FILES =
  /^(?:kept|odd|uncarried|carry|moved-out|.*-between|trails|heard|saying|course|chores|keeper|pace|guesses|tint|turns|words|isolated|patience|framing|moments|leaves|findings|who|tell|occupied-by|look-through|way)\.ts$/;

function sources(): string[] {
  return ['server', 'web-client']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.[cm]?ts$/.test(entry.name))
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

it('uses the terms of the field in file names', () => {
  expect(sources().filter((file) => REPLACED_FILES.test(basename(file)))).toEqual([]);
});

it('would find what it forbids', () => {
  expect(withoutStrings('const asker = 1;')).toMatch(/\basker\b/);
  expect(withoutStrings("say('asker')")).not.toMatch(/asker/);
  expect(REPLACED_FILES.test('copy-between.ts')).toBe(true);
});
