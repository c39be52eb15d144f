import { linkSync, lstatSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderNames } from '../../dist/server/storage/paths/folder-names.js';

let path: string;
let names: FolderNames;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'larder-names-'));
  names = new FolderNames();
});
afterEach(() => rmSync(path, { recursive: true }));

/** The folder as it is opened for every operation. */
const folder = () => ({ stats: lstatSync(path, { bigint: true }), at: (name: string) => join(path, name) });
const put = (name: string) => writeFileSync(join(path, name), '');
const NFC = 'é.txt';
const NFD = 'é.txt'.normalize('NFD');

describe('the name that would conflict with another', () => {
  it('is the same, or differs in case or Unicode form', () => {
    for (const name of ['Photo.jpg', NFD]) put(name);
    expect(names.twinOf(folder(), 'Photo.jpg')).toBe('Photo.jpg');
    expect(names.twinOf(folder(), 'PHOTO.JPG')).toBe('Photo.jpg');
    expect(names.twinOf(folder(), NFC)).toBe(NFD);
    expect(names.twinOf(folder(), 'photo2.jpg')).toBeNull();
    expect(names.twinOf(folder(), 'photo.jpg', 'Photo.jpg')).toBeNull();
    put('photo.jpg');
    expect(names.twinOf(folder(), 'photo.jpg')).toBe('photo.jpg');
  });

  it('is detected if another program has just created it', () => {
    put('one');
    expect(names.twinOf(folder(), 'two')).toBeNull();
    put('TWO');
    expect(names.twinOf(folder(), 'two')).toBe('TWO');
  });

  it('is no longer reported once it is deleted, whatever the time of the folder', () => {
    const time = new Date(1_700_000_000_000);
    put('ONE');
    utimesSync(path, time, time);
    expect(names.twinOf(folder(), 'one')).toBe('ONE');
    unlinkSync(join(path, 'ONE'));
    // A disk with a coarse clock, or a folder without a time: it is the same before and after.
    utimesSync(path, time, time);
    expect(names.twinOf(folder(), 'one')).toBeNull();
  });

  it('is detected for a rename within the same tick of the disk’s clock', () => {
    const time = new Date(1_700_000_000_000);
    put('moving');
    utimesSync(path, time, time);
    expect(names.twinOf(folder(), 'one', 'moving')).toBeNull();
    put('one');
    utimesSync(path, time, time);
    expect(names.twinOf(folder(), 'one', 'moving')).toBe('one');
  });

  it('is known for names that Larder created', () => {
    const opened = folder();
    expect(names.twinOf(opened, 'one')).toBeNull();
    put('one');
    names.added(opened, 'one');
    expect(names.twinOf(folder(), 'ONE')).toBe('one');
  });

  it('is known, too, if another program was faster than our own record', () => {
    const opened = folder();
    expect(names.twinOf(opened, 'one')).toBeNull();
    put('THEIRS');
    const later = folder();
    put('one');
    names.added(later, 'one');
    expect(names.twinOf(folder(), 'theirs')).toBe('THEIRS');
  });
});

describe('the spelling of a name', () => {
  it('is these bytes, otherwise the same text in another Unicode form, never another case', () => {
    put(NFD);
    put('Abc');
    expect(names.spellingOf(folder(), NFD)).toBe(NFD);
    expect(names.spellingOf(folder(), NFC)).toBe(NFD);
    expect(names.spellingOf(folder(), 'abc')).toBeNull();
    put(NFC);
    expect(names.spellingOf(folder(), NFC)).toBe(NFC);
  });

  it('is read from the disk again if it is not in memory', () => {
    const time = new Date(1_700_000_000_000);
    utimesSync(path, time, time);
    expect(names.spellingOf(folder(), 'new')).toBeNull();
    put('new');
    utimesSync(path, time, time);
    expect(names.spellingOf(folder(), 'new')).toBe('new');
  });
});

describe('whether a disk ignores case', () => {
  it('is determined by the disk, and agrees with a look at another spelling', () => {
    put('.larder-home');
    const ignores = lstatSync(join(path, '.LARDER-HOME'), { throwIfNoEntry: false }) !== undefined;
    expect(names.isLoose(folder(), '.larder-home')).toBe(ignores);
  });

  it('is not concluded from a second link to the same file', () => {
    put('.larder-home');
    linkSync(join(path, '.larder-home'), join(path, '.LARDER-HOME'));
    expect(names.isLoose(folder(), '.larder-home')).toBe(false);
  });
});
