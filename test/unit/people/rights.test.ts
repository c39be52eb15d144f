import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowedTypes,
  checkNewType,
  checkType,
  checkUploadSize,
  isOfType,
  maxUploadBytes,
} from '../../../dist/server/access/limits.js';
import {
  accountRights,
  type FileAction,
  folderPermissions,
  missingPermissionFor,
  missingSharePermission,
  NEEDS,
  permitInShare,
} from '../../../dist/server/access/rights.js';
import { DEFAULT_PERMISSIONS } from '../../../dist/server/accounts/permissions/permissions.js';
import { SHARE_FLAGS, type ShareFlags } from '../../../dist/server/shares/share-record.js';

const account = (permissions: object) => ({ permissions: { ...DEFAULT_PERMISSIONS, ...permissions } });

/**
 * Written by hand: the missing permission for each one that differs from its default, and the flags that a share needs; null:
 * only for the home's owner.
 */
const TABLE: Record<FileAction, readonly [readonly string[], readonly string[] | null]> = {
  'files/browse': [[], []],
  'files/search': [[], []],
  'files/search:contents': [[], ['download']],
  'files/known': [['download'], ['download']],
  'files/receipt': [['download'], ['download']],
  'files/star': [[], []],
  'files/unstar': [[], []],
  'albums/list': [[], []],
  'albums/add': [[], []],
  'albums/folder': [[], []],
  'albums/edit': [[], []],
  'albums/delete': [[], []],
  'albums/items': [[], []],
  'albums/items/add': [[], []],
  'albums/items/remove': [[], []],
  'albums/shares': [[], []],
  'albums/share': [['share'], []],
  'albums/unshare': [[], []],
  'albums/link': [['weblink'], []],
  'albums/links': [['weblink'], []],
  'albums/unlink': [['weblink'], []],
  'imports/add': [['readonly', 'upload'], null],
  'imports/list': [[], []],
  'imports/item': [[], []],
  'imports/cancel': [[], []],
  'imports/resume': [['readonly', 'upload'], null],
  'files/createfolder': [['readonly', 'upload'], ['upload']],
  'files/upload': [['readonly', 'upload'], ['upload']],
  'files/upload:replace': [
    ['readonly', 'upload'],
    ['upload', 'alter'],
  ],
  'files/rename': [['readonly'], ['alter']],
  'files/move': [['readonly'], ['alter', 'download']],
  'files/move:within': [['readonly'], ['alter']],
  'files/move:into': [['readonly', 'upload'], ['upload']],
  'files/move:replace': [
    ['readonly', 'upload'],
    ['upload', 'alter'],
  ],
  'files/copy': [['readonly', 'upload'], ['download']],
  'files/copy:into': [['readonly', 'upload'], ['upload']],
  'files/extract': [['readonly', 'upload'], ['download']],
  'files/extract:into': [['readonly', 'upload'], ['upload']],
  'files/zip': [['readonly', 'upload', 'download'], ['download']],
  'files/zip:folder': [['readonly', 'upload', 'download', 'download_folders'], ['download']],
  'files/zip:into': [['readonly', 'upload', 'download'], ['upload']],
  'files/download': [['download'], ['download']],
  'files/download:folder': [['download', 'download_folders'], ['download']],
  'files/thumbnail': [['download'], ['download']],
  'files/download:version': [['download', 'file_history'], ['download']],
  'files/delete': [['readonly'], ['alter']],
  'files/delete:permanent': [['readonly'], null],
  'files/lock': [['readonly'], ['alter']],
  'files/unlock': [['readonly'], ['alter']],
  'files/properties': [['readonly'], ['alter']],
  'files/share': [['share'], ['share']],
  'files/unshare': [['share'], []],
  'files/weblink': [['weblink'], ['share', 'download']],
  'files/weblink/edit': [['weblink'], ['share', 'download']],
  'files/unweblink': [['weblink'], []],
  'files/comments/list': [['read_comments'], ['read_comments']],
  'files/comments/add': [['write_comments'], ['comment']],
  'files/comments/delete': [['write_comments'], ['comment']],
  'files/comments/delete:any': [[], null],
  'files/search:metadata': [['metadata'], []],
  'files/search:comments': [['metadata', 'read_comments'], ['read_comments']],
  'files/metadata': [['metadata'], []],
  'files/metadata/fields': [['metadata'], []],
  'files/metadata/set': [['readonly', 'metadata'], ['alter']],
  'files/label': [['readonly', 'metadata'], ['alter']],
  'files/rating': [['readonly', 'metadata'], ['alter']],
  'files/tags/add': [['readonly', 'metadata'], ['alter']],
  'files/tags/remove': [['readonly', 'metadata'], ['alter']],
  'files/trash/restore': [['readonly'], null],
  'files/trash/delete': [['readonly'], null],
  'files/trash/empty': [['readonly'], null],
  'files/versions/list': [['file_history'], ['download']],
  'files/versions/restore': [
    ['readonly', 'file_history'],
    ['alter', 'download'],
  ],
  'files/versions/delete': [['readonly', 'file_history'], null],
};

const SWITCHES = Object.entries(DEFAULT_PERMISSIONS).flatMap(([name, value]) =>
  typeof value === 'boolean' ? [name] : [],
);

describe('the permissions of a file operation', () => {
  it('are declared for all operations', () => {
    expect(Object.keys(TABLE).sort()).toEqual(Object.keys(NEEDS).sort());
  });

  it.each(Object.keys(TABLE) as FileAction[])('%s needs exactly these permissions', (action) => {
    expect(missingPermissionFor(action, DEFAULT_PERMISSIONS)).toBeNull();
    for (const name of SWITCHES) {
      const turned = { ...DEFAULT_PERMISSIONS, [name]: !DEFAULT_PERMISSIONS[name as 'readonly'] };
      expect(missingPermissionFor(action, turned), name).toBe(TABLE[action][0].includes(name) ? name : null);
    }
  });

  it('are refused whatever else is granted', () => {
    const names = fc.subarray(SWITCHES);
    fc.assert(
      fc.property(names, fc.constantFrom(...(Object.keys(TABLE) as FileAction[])), (turned, action) => {
        const changes = turned.map((name) => [name, !DEFAULT_PERMISSIONS[name as 'readonly']]);
        const missingPermission = missingPermissionFor(action, {
          ...DEFAULT_PERMISSIONS,
          ...Object.fromEntries(changes),
        });
        expect(missingPermission !== null).toBe(TABLE[action][0].some((name) => turned.includes(name)));
      }),
    );
  });

  it.each([
    [{}, { upload: true, download: true, alter: true }],
    [{ readonly: true }, { upload: false, download: true, alter: false }],
    [{ upload: false }, { upload: false, download: true, alter: true }],
    [{ download: false }, { upload: true, download: false, alter: true }],
  ])('are listed as %j with %j (§2.5)', (permissions, perms) => {
    expect(folderPermissions(accountRights(account(permissions)))).toEqual(perms);
  });
});

describe('the permissions of a share', () => {
  const ACTIONS = Object.keys(TABLE) as FileAction[];
  const flags = (given: readonly string[]) =>
    Object.fromEntries(SHARE_FLAGS.map((flag) => [flag, given.includes(flag)])) as ShareFlags;

  it.each(ACTIONS)('%s needs exactly these flags', (action) => {
    const needed = TABLE[action][1];
    for (const missing of [...SHARE_FLAGS, null]) {
      const given = SHARE_FLAGS.filter((flag) => flag !== missing);
      const missingPermission = missingSharePermission(action, { flags: flags(given), grantors: [account({})] });
      const expected = needed === null ? 'owner' : missing !== null && needed.includes(missing) ? missing : null;
      expect(missingPermission, `without ${missing}`).toBe(expected);
    }
    const least = missingSharePermission(action, { flags: flags(needed ?? []), grantors: [] });
    expect(least).toBe(needed === null ? 'owner' : null);
  });

  it('are limited to those of everyone who passed it on', () => {
    for (const action of ACTIONS.filter((one) => TABLE[one][1] !== null)) {
      for (const name of SWITCHES) {
        const turned = account({ [name]: !DEFAULT_PERMISSIONS[name as 'readonly'] });
        const share = { flags: flags(SHARE_FLAGS), grantors: [account({}), turned] };
        expect(missingSharePermission(action, share), `${action} ${name}`).toBe(
          TABLE[action][0].includes(name) ? name : null,
        );
        const refused = () => permitInShare(share, action);
        if (TABLE[action][0].includes(name)) expect(refused).toThrow(expect.objectContaining({ status: 403 }));
        else expect(refused).not.toThrow();
      }
    }
  });

  it('are part of a listing', () => {
    const share = { flags: flags(['upload']), grantors: [account({})] };
    expect(folderPermissions(accountRights(account({})), share)).toEqual({
      upload: true,
      download: false,
      alter: false,
    });
    const all = { flags: flags(SHARE_FLAGS), grantors: [account({ readonly: true })] };
    expect(folderPermissions(accountRights(account({})), all)).toEqual({ upload: false, download: true, alter: false });
  });
});

describe('upload_max_size', () => {
  it.each([
    [0, Number.MAX_SAFE_INTEGER],
    [1, 1_048_576],
    [3, 3_145_728],
  ])('of %i MB is %i bytes', (megabytes, bytes) => {
    const limited = [account({ upload_max_size: megabytes })];
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

  it('is the intersection of the limits of several people', () => {
    const several = [account({ upload_max_size: 3 }), account({}), account({ upload_max_size: 2 })];
    expect(maxUploadBytes(several)).toBe(2_097_152);
    const types = [account({ upload_limit_types: 'jpg,png' }), account({ upload_limit_types: 'png,gif' })];
    for (const [name, allowed] of Object.entries({ 'a.png': true, 'a.jpg': false, 'a.gif': false })) {
      if (allowed) expect(() => checkType(types, name)).not.toThrow();
      else expect(() => checkType(types, name)).toThrow(expect.objectContaining({ code: 'type_not_allowed' }));
    }
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
  ])('with jpg and tar.gz, accepts %j: %s', (name, allowed) => {
    expect(isOfType(['jpg', 'tar.gz'], name)).toBe(allowed);
    expect(isOfType([], name)).toBe(true);
  });

  it('is reported with the name, and with the path of nested files', () => {
    const limited = [account({ upload_limit_types: 'jpg, png' })];
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
  ])('allows renaming %s to %s: %s', (before, name, allowed) => {
    const rename = () => checkNewType([account({ upload_limit_types: 'jpg,tar.gz' })], before, name);
    if (allowed) expect(rename).not.toThrow();
    else expect(rename).toThrow(expect.objectContaining({ code: 'type_not_allowed' }));
  });
});
