import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowedTypes,
  checkNewType,
  checkType,
  checkUploadSize,
  isOfType,
  maxUploadBytes,
} from '../../dist/server/access/limits.js';
import { type FileAction, folderPermissions, hindranceTo, NEEDS } from '../../dist/server/access/rights.js';
import { DEFAULT_PERMISSIONS } from '../../dist/server/accounts/permissions.js';

const account = (permissions: object) => ({ permissions: { ...DEFAULT_PERMISSIONS, ...permissions } });

/** Written by hand: what stands in the way with one permission turned to what it is not by default. */
const TABLE: Record<FileAction, readonly string[]> = {
  'files/browse': [],
  'files/search': [],
  'files/star': [],
  'files/unstar': [],
  'files/createfolder': ['readonly', 'upload'],
  'files/upload': ['readonly', 'upload'],
  'files/rename': ['readonly'],
  'files/move': ['readonly'],
  'files/copy': ['readonly', 'upload'],
  'files/extract': ['readonly', 'upload'],
  'files/zip': ['readonly', 'upload', 'download'],
  'files/zip folder': ['readonly', 'upload', 'download', 'download_folders'],
  'files/download': ['download'],
  'files/download folder': ['download', 'download_folders'],
  'files/download version': ['download', 'file_history'],
  'files/delete': ['readonly'],
  'files/lock': ['readonly'],
  'files/unlock': ['readonly'],
  'files/trash/restore': ['readonly'],
  'files/trash/delete': ['readonly'],
  'files/trash/empty': ['readonly'],
  'files/versions/list': ['file_history'],
  'files/versions/restore': ['readonly', 'file_history'],
  'files/versions/delete': ['readonly', 'file_history'],
};

const SWITCHES = Object.entries(DEFAULT_PERMISSIONS).flatMap(([name, value]) =>
  typeof value === 'boolean' ? [name] : [],
);

describe('what an operation on files needs', () => {
  it('is written down for the operations there are', () => {
    expect(Object.keys(TABLE).sort()).toEqual(Object.keys(NEEDS).sort());
  });

  it.each(Object.keys(TABLE) as FileAction[])('%s: these permissions and no other', (action) => {
    expect(hindranceTo(action, DEFAULT_PERMISSIONS)).toBeNull();
    for (const name of SWITCHES) {
      const turned = { ...DEFAULT_PERMISSIONS, [name]: !DEFAULT_PERMISSIONS[name as 'readonly'] };
      expect(hindranceTo(action, turned), name).toBe(TABLE[action].includes(name) ? name : null);
    }
  });

  it('is refused whatever else is granted', () => {
    const names = fc.subarray(SWITCHES);
    fc.assert(
      fc.property(names, fc.constantFrom(...(Object.keys(TABLE) as FileAction[])), (turned, action) => {
        const changes = turned.map((name) => [name, !DEFAULT_PERMISSIONS[name as 'readonly']]);
        const hindrance = hindranceTo(action, { ...DEFAULT_PERMISSIONS, ...Object.fromEntries(changes) });
        expect(hindrance !== null).toBe(TABLE[action].some((name) => turned.includes(name)));
      }),
    );
  });

  it.each([
    [{}, { upload: true, download: true, alter: true }],
    [{ readonly: true }, { upload: false, download: true, alter: false }],
    [{ upload: false }, { upload: false, download: true, alter: true }],
    [{ download: false }, { upload: true, download: false, alter: true }],
  ])('a listing with %j says %j (§2.5)', (permissions, perms) => {
    expect(folderPermissions(account(permissions))).toEqual(perms);
  });
});

describe('upload_max_size', () => {
  it.each([
    [0, Number.MAX_SAFE_INTEGER],
    [1, 1_048_576],
    [3, 3_145_728],
  ])('of %i MB is %i bytes', (megabytes, bytes) => {
    const limited = account({ upload_max_size: megabytes });
    expect(maxUploadBytes(limited)).toBe(bytes);
    expect(() => checkUploadSize(limited, bytes)).not.toThrow();
    if (megabytes > 0)
      expect(() => checkUploadSize(limited, bytes + 1)).toThrow(
        expect.objectContaining({ code: 'upload_too_large', status: 413, details: { limit: bytes } }),
      );
  });
});

describe('upload_limit_types', () => {
  it.each([
    ['', []],
    [' , ,', []],
    ['jpg', ['jpg']],
    ['jpg,PNG', ['jpg', 'png']],
    [' .jpg , *.Png,tar.gz ', ['jpg', 'png', 'tar.gz']],
  ])('%j means %j', (list, types) => {
    expect(allowedTypes(account({ upload_limit_types: list }))).toEqual(types);
  });

  it.each([
    ['a.jpg', true],
    ['a.JPG', true],
    ['a.b.jpg', true],
    ['a b.jpg', true],
    ['a.tar.gz', true],
    ['a.gz', false],
    ['jpg', false],
    ['.jpg', false],
    ['a.jpg.exe', false],
    ['ajpg', false],
    ['a.', false],
    ['a.jpg.', false],
    ['a.jpg ', false],
    ['README', false],
    ['', false],
  ])('jpg and tar.gz take %j: %s', (name, allowed) => {
    expect(isOfType(['jpg', 'tar.gz'], name)).toBe(allowed);
    expect(isOfType([], name)).toBe(true);
  });

  it('is told with the name, and with the path of what lies deeper', () => {
    const limited = account({ upload_limit_types: 'jpg, png' });
    expect(() => checkType(limited, 'a.exe')).toThrow(
      expect.objectContaining({ status: 415, details: { filename: 'a.exe', allowed: ['jpg', 'png'] } }),
    );
    expect(() => checkType(limited, 'a.exe', '/ROOT/HOME/b/a.exe')).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ path: '/ROOT/HOME/b/a.exe' }) }),
    );
  });

  it.each([
    ['a.jpg', 'b.jpg', true],
    ['a.exe', 'b.exe', true],
    ['a.exe', 'a.EXE', true],
    ['a.exe', 'a.jpg', true],
    ['a.jpg', 'a.exe', false],
    ['a.exe', 'a.com', false],
    ['a.tar.gz', 'a.gz', false],
    ['README', 'LICENSE', true],
    ['a.jpg', 'README', false],
  ])('%s may be renamed to %s: %s', (before, name, allowed) => {
    const rename = () => checkNewType(account({ upload_limit_types: 'jpg,tar.gz' }), before, name);
    if (allowed) expect(rename).not.toThrow();
    else expect(rename).toThrow(expect.objectContaining({ code: 'type_not_allowed' }));
  });
});
