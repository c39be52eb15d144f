import { describe, expect, it } from 'vitest';
import { fillHomeTemplate, homeTemplateProblem } from '../../../dist/server/accounts/home-template.js';
import { t } from '../../../dist/server/messages/messages.js';
import {
  type Flavour,
  isInside,
  isSame,
  isSystemFolder,
  readHomePath,
  shownHomePath,
} from '../../../dist/server/people/homes/home-path.js';

const WHOLE = t('api.homes.pathRelative');
const DISK = t('api.homes.pathDisk');
const DOTS = t('api.homes.pathDots');
const LONG = t('api.homes.pathTooLong');
const LONG_NAME = t('api.homes.pathNameTooLong');
const CONTROL = t('api.homes.pathCharacters');
const OURS = t('api.homes.pathReserved');

describe('the path of a home', () => {
  it.each([
    ['posix', '/mnt/disk/ann', '/mnt/disk/ann'],
    ['posix', '/mnt//disk/ann/', '/mnt/disk/ann'],
    ['posix', '/mnt/disk/with : and \\ in it', '/mnt/disk/with : and \\ in it'],
    ['posix', '/mnt/Ünïcode/🍎', '/mnt/Ünïcode/🍎'],
    ['posix', '//mnt/ann', '/mnt/ann'],
    ['posix', '/mnt/…/a..b/.hidden', '/mnt/…/a..b/.hidden'],
    ['windows', 'D:/Photos/ann', 'D:\\Photos\\ann'],
    ['windows', 'd:\\Photos\\\\ann\\', 'd:\\Photos\\ann'],
    ['windows', '//nas/share/ann', '\\\\nas\\share\\ann'],
  ] as [Flavour, string, string][])('on %s %j is %j', (flavour, text, path) => {
    expect(readHomePath(text, flavour)).toEqual({ path });
  });

  it.each([
    ['posix', '', WHOLE],
    ['posix', 'ann', WHOLE],
    ['posix', './ann', WHOLE],
    ['posix', '../ann', WHOLE],
    ['posix', '~/ann', WHOLE],
    ['posix', 'D:/Photos', WHOLE],
    ['posix', '/', DISK],
    ['posix', '///', DISK],
    ['posix', '/mnt/../etc', DOTS],
    ['posix', '/mnt/.', DOTS],
    ['posix', '/mnt/./ann', DOTS],
    ['posix', '/mnt/ann/..', DOTS],
    ['posix', '/mnt/a\0b', CONTROL],
    ['posix', '/mnt/a\nb', CONTROL],
    ['posix', '/mnt/a\u0085b', CONTROL],
    ['posix', '/mnt/a\ud800', CONTROL],
    ['posix', `/${'x/'.repeat(5_000)}`, LONG],
    ['posix', `/mnt/${'x'.repeat(256)}`, LONG_NAME],
    ['posix', '/mnt/.larder-area/x', OURS],
    ['posix', '/mnt/.Larder-Area', OURS],
    ['posix', '/mnt/.larder-home', OURS],
    ['windows', '/mnt/ann', WHOLE],
    ['windows', '\\ann', WHOLE],
    ['windows', 'D:ann', WHOLE],
    ['windows', 'D:', WHOLE],
    ['windows', '\\\\?\\D:\\ann', WHOLE],
    ['windows', '//./PhysicalDrive0', WHOLE],
    ['windows', 'D:\\', DISK],
    ['windows', 'D:/', DISK],
    ['windows', '//nas/share/', DISK],
    ['windows', 'D:/a/../b', DOTS],
    ['windows', 'D:/CON', t('api.files.invalidName', { problem: 'device', max: 255 })],
    ['windows', 'D:/nul.txt/ann', t('api.files.invalidName', { problem: 'device', max: 255 })],
    ['windows', 'D:/ann.', t('api.files.invalidName', { problem: 'ending', max: 255 })],
    ['windows', 'D:/ann /x', t('api.files.invalidName', { problem: 'ending', max: 255 })],
    ['windows', 'D:/ann:stream', t('api.files.invalidName', { problem: 'characters', max: 255 })],
  ] as [Flavour, string, string][])('on %s %j is refused', (flavour, text, problem) => {
    expect(readHomePath(text, flavour)).toEqual({ problem });
  });

  it('is shown with forward slashes', () => {
    expect(shownHomePath('D:\\Photos\\ann', 'windows')).toBe('D:/Photos/ann');
    expect(shownHomePath('/mnt/a\\b', 'posix')).toBe('/mnt/a\\b');
  });
});

describe('a folder of the system', () => {
  const OS_HOME = { posix: '/home/bob', windows: 'C:\\Users\\Bob' };

  it.each([
    ['posix', ['/etc', '/etc/larder', '/usr', '/usr/local/share', '/bin', '/boot', '/dev', '/dev/shm/x', '/proc/1']],
    ['posix', ['/sys', '/var', '/root', '/home', '/tmp', '/run', '/home/bob', '/lib/x', '/sbin']],
    ['windows', ['C:\\Windows', 'c:\\windows\\System32', 'C:\\Program Files\\x', 'C:\\Users', 'C:\\Users\\bob']],
  ] as [Flavour, string[]][])('on %s is %j', (flavour, places) => {
    for (const place of places) expect(isSystemFolder(place, OS_HOME[flavour], flavour), place).toBe(true);
  });

  it.each([
    ['posix', ['/home/bob/Photos', '/home/eve', '/mnt', '/mnt/disk', '/srv/ann', '/var/lib/larder/homes/ann']],
    ['posix', ['/root/homes', '/tmp/x', '/run/media/bob/usb', '/etcetera', '/media/bob/usb', '/volume1/homes']],
    ['windows', ['C:\\Users\\Bob\\Photos', 'D:\\Windows', 'D:\\Photos', 'C:\\WindowsOld']],
  ] as [Flavour, string[]][])('on %s is none of %j', (flavour, places) => {
    for (const place of places) expect(isSystemFolder(place, OS_HOME[flavour], flavour), place).toBe(false);
  });
});

describe('paths', () => {
  it.each([
    ['/a/b', '/a', true],
    ['/a', '/a', false],
    ['/a', '/a/b', false],
    ['/ab', '/a', false],
    ['/a/b/c', '/', true],
    ['/a/b', '/a/', true],
  ])('%s is inside %s: %s', (path, folder, expected) => {
    expect(isInside(path, folder, 'posix')).toBe(expected);
  });

  it('are compared without regard to case on Windows only', () => {
    expect(isSame('D:\\Ann', 'd:\\ann', 'windows')).toBe(true);
    expect(isSame('/A', '/a', 'posix')).toBe(process.platform === 'darwin');
    expect(isSame('/a/', '/a', 'posix')).toBe(true);
  });
});

describe('a template', () => {
  const values = { username: 'ann', name: 'Ann', email: 'ann@orchard.example', company: 'Orchard' };

  it.each([
    ['{USERNAME}', 'ann'],
    ['/data/{COMPANY}/{USERNAME}', '/data/Orchard/ann'],
    ['{NAME} ({EMAIL})', 'Ann (ann@orchard.example)'],
    ['D:/homes/{USERNAME}', 'D:/homes/ann'],
    ['{USERNAME}-{USERNAME}', 'ann-ann'],
  ])('%j becomes %j', (template, path) => {
    expect(homeTemplateProblem(template)).toBeNull();
    expect(fillHomeTemplate(template, values)).toBe(path);
  });

  it.each(['{FOO}', '{username}', '{}', '{USERNAME', 'USERNAME}', 'fixed', '/data', '{USERNAME}\0', '{{USERNAME}}'])(
    '%j is refused',
    (template) => {
      expect(homeTemplateProblem(template)).not.toBeNull();
      expect(() => fillHomeTemplate(template, values)).toThrow();
    },
  );

  it('has at most 1,000 characters', () => {
    expect(homeTemplateProblem(`{USERNAME}${'x'.repeat(10_000)}`)).toBe(t('api.homes.templateTooLong', { max: 1_000 }));
  });

  it.each(['Müller', 'e\u0301', '🍎', 'a.b', 'a b', 'O’Brien', 'constructor', '__proto__', '{EMAIL}', '$&', '$1'])(
    'accepts the name %j',
    (name) => {
      expect(fillHomeTemplate('x-{NAME}', { ...values, name })).toBe(`x-${name.normalize('NFC')}`);
    },
  );

  it.each([
    ...['', '   ', '.', '..', 'a/b', '../ann', 'a\\b', 'CON', 'nul.txt', 'a.', 'ann ..', 'a:b', 'a\0b', '.hidden'],
    ...['\u200fann', 'ann\u202egnp', '\u2066ann', 'x'.repeat(256), '😀'.repeat(64), 'a\ud800', 'a|b', 'a\u0007'],
  ])('refuses the name %j', (name) => {
    expect(() => fillHomeTemplate('{NAME}', { ...values, name })).toThrow(
      expect.objectContaining({
        field: 'homefolder',
        message: expect.stringMatching(/^The home folder cannot be named/),
      }),
    );
  });
});
