import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorageError } from '../../dist/server/storage/errors.js';
import {
  closePath,
  type HomeRoot,
  MARKER_FILE,
  nameOnDisk,
  openPath,
  plainName,
} from '../../dist/server/storage/paths/folder-handle.js';
import { FolderNames } from '../../dist/server/storage/paths/folder-names.js';

let base: string;
let homeRoot: HomeRoot;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'larder-handles-'));
  const root = join(base, 'home');
  mkdirSync(join(root, 'a', 'b'), { recursive: true });
  mkdirSync(join(base, 'outside', 'b'), { recursive: true });
  writeFileSync(join(root, MARKER_FILE), 'id-1\n');
  writeFileSync(join(root, 'file'), '');
  homeRoot = { root, homeId: 'id-1' };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** How many descriptors this process has open, where the system says so. */
const openDescriptors = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

const kinds = process.platform === 'linux' ? (['proc', 'portable'] as const) : (['portable'] as const);

describe('a segment of a path', () => {
  it.each(['a\\b', '..\\', '\\.larder-home', 'name:stream', 'C:', 'LARDER~1', 'dot.', 'space '])(
    '%j is refused on Windows, and never corrected',
    (name) => {
      expect(() => plainName(name, 'win32')).toThrow('not-found');
    },
  );
  it.each(['..', '', 'a/b'])('%j is refused everywhere', (name) => {
    expect(() => plainName(name, 'linux')).toThrow('not-found');
  });
  it('is otherwise used unchanged', () => {
    expect([plainName('a\\b:c', 'linux'), plainName('Über ~ uns.txt', 'win32')]).toEqual(['a\\b:c', 'Über ~ uns.txt']);
  });
});

describe.each(kinds)('a path of open folders (%s)', (kind) => {
  const reasonOf = (segments: readonly string[], at = homeRoot) => {
    try {
      closePath(openPath(at, segments, new FolderNames(), kind));
      return 'opened';
    } catch (error) {
      if (error instanceof StorageError) return error.reason;
      return (error as NodeJS.ErrnoException).code;
    }
  };

  it.each([[['..', 'outside']], [['a', '..', 'a']], [['a/b']], [['a', '../b']], [['']]])('refuses %j', (segments) => {
    expect(reasonOf(segments)).toBe('not-found');
  });

  it('opens a folder outside of homes by its real path only, and leaves nothing open', () => {
    const foreign = (root: string): HomeRoot => ({ root, homeId: '', isForeign: true });
    const outside = join(realpathSync(base), 'outside');
    expect(reasonOf(['b'], foreign(outside))).toBe('opened');
    // Any other root without its marker is offline.
    expect(reasonOf([], { root: outside, homeId: '' })).toBe('offline');
    symlinkSync(outside, join(base, 'link'));
    symlinkSync(join(outside, 'b'), join(outside, 'link'));
    const open = openDescriptors();
    expect(reasonOf([], foreign(join(realpathSync(base), 'link')))).toBe('offline');
    expect(reasonOf([], foreign(join(outside, 'link')))).toBe('offline');
    expect(reasonOf([], foreign(join(outside, 'none')))).toBe('offline');
    expect(reasonOf(['link'], foreign(outside))).not.toBe('opened');
    expect(openDescriptors()).toBe(open);
  });

  it('opens folders one by one and returns their names', () => {
    const trail = openPath(homeRoot, ['a', 'b'], new FolderNames(), kind);
    expect(trail.map(({ name }) => name)).toEqual(['', 'a', 'b']);
    writeFileSync(trail[2]?.at('new') ?? '', 'x');
    expect(nameOnDisk(trail[2] as never, 'new')).toBe('new');
    closePath(trail);
    closePath(trail);
  });

  it('follows no symbolic links, wherever they point', () => {
    symlinkSync(join(base, 'outside'), join(homeRoot.root, 'out'));
    symlinkSync('a', join(homeRoot.root, 'inside'));
    symlinkSync('.', join(homeRoot.root, 'self'));
    for (const name of ['out', 'inside', 'self']) {
      expect(reasonOf([name])).toMatch(/not-found|ENOTDIR|ELOOP/);
      expect(reasonOf([name, 'b'])).toMatch(/not-found|ENOTDIR|ELOOP/);
    }
    expect(reasonOf(['file'])).toMatch(/not-found|ENOTDIR/);
    expect(reasonOf(['nowhere'])).toBe('not-found');
    expect(reasonOf([MARKER_FILE])).toBe('not-found');
  });

  it('may begin with a symbolic link that the owner chose as the root', () => {
    symlinkSync(homeRoot.root, join(base, 'link'));
    expect(reasonOf(['a', 'b'], { ...homeRoot, root: join(base, 'link') })).toBe('opened');
  });

  it('is offline without the root, without the marker, and with the marker of another home', () => {
    expect(reasonOf([], { ...homeRoot, root: join(base, 'away') })).toBe('offline');
    expect(reasonOf([], { ...homeRoot, homeId: 'id-2' })).toBe('offline');
    rmSync(join(homeRoot.root, MARKER_FILE));
    expect(reasonOf(['a'])).toBe('offline');
  });

  it('writes nowhere else, or detects it, if a symbolic link replaces an open folder', () => {
    const trail = openPath(homeRoot, ['a'], new FolderNames(), kind);
    const [, folder] = trail;
    renameSync(join(homeRoot.root, 'a'), join(homeRoot.root, 'moved'));
    symlinkSync(join(base, 'outside'), join(homeRoot.root, 'a'));
    if (kind === 'proc') {
      expect(folder?.isUnchanged()).toBe(true);
      expect(nameOnDisk(folder as never, 'b')).toBe('b');
      writeFileSync(folder?.at('new') ?? '', 'x');
      expect(() => nameOnDisk(openPath(homeRoot, ['moved'], new FolderNames(), kind)[1] as never, 'new')).not.toThrow();
    } else {
      expect(folder?.isUnchanged()).toBe(false);
    }
    closePath(trail);
  });

  it('finds a name in either Unicode form, exact bytes first', () => {
    const composed = 'Ünï'.normalize('NFC');
    const decomposed = 'Ünï'.normalize('NFD');
    mkdirSync(join(homeRoot.root, decomposed));
    const [root] = openPath(homeRoot, [], new FolderNames(), kind);
    expect(nameOnDisk(root as never, composed)).toBe(decomposed);
    mkdirSync(join(homeRoot.root, composed));
    expect(nameOnDisk(root as never, composed)).toBe(composed);
    expect(nameOnDisk(root as never, decomposed)).toBe(decomposed);
    closePath([root as never]);
  });
});
