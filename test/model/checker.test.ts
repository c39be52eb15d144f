import { describe, expect, it } from 'vitest';
import { complaintOf, explain } from './check.ts';
import type { Call, Observation, ObservedFile, Operation, Reply } from './history.ts';
import { emptyState } from './state.ts';

const uuid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

/** A call at its time; without an end it was over at once. */
function call(began: number, operation: Operation, reply: Partial<Reply>, ended = began + 0.5): Call {
  return { id: began, client: 0, operation, reply: { status: 200, code: null, ...reply }, began, ended, took: 1 };
}

const put = (text: string): Operation => ({ kind: 'upload', path: ['f'], text, makesFolders: false });
const stored = (text: string, version: number, more: Partial<Reply> = {}) => {
  return { path: ['f'], uuid: uuid(1), version, size: text.length, ...more };
};
const get: Operation = { kind: 'download', path: ['f'], version: null };
const trash: Operation = { kind: 'delete', path: ['f'], permanent: false };
const list: Operation = { kind: 'browse', path: [], recursive: false };
const folder = (name: string): Operation => ({ kind: 'createfolder', path: [], name });

function file(text: string, version: number, history: ObservedFile['history'] = []): ObservedFile {
  return { isDir: false, name: 'f', uuid: uuid(1), text, version, isSigned: true, history };
}

function seen(children: readonly ObservedFile[], more: Partial<Observation> = {}): Reply {
  const root = { isDir: true as const, name: '', uuid: null, children };
  return { status: 200, code: null, observed: { root, trash: [], uploads: [], ...more } };
}

const verdict = (calls: readonly Call[], versionsKept = 20) => explain(emptyState(versionsKept), calls).kind;
const look = (began: number, reply: Reply) => call(began, { kind: 'observe' }, reply);

describe('a valid history', () => {
  it.each<[string, readonly Call[]]>([
    ['one after the other', [call(1, put('a'), stored('a', 1)), call(2, get, { text: 'a' })]],
    ['two at once, in either order', [call(1, put('a'), stored('a', 2), 5), call(2, put('b'), stored('b', 1), 4)]],
    [
      'a reader beside a writer sees the old',
      [call(1, get, { code: 'not_found' }, 9), call(2, put('a'), stored('a', 1))],
    ],
    ['a reader beside a writer sees the new', [call(1, get, { text: 'a' }, 9), call(2, put('a'), stored('a', 1))]],
    [
      'a listing of the trash between a delete and its row',
      [
        call(1, put('a'), stored('a', 1)),
        call(2, trash, { trashId: 't' }, 9),
        call(3, get, { code: 'not_found' }),
        call(4, { kind: 'trash/list' }, { listed: [] }),
      ],
    ],
    [
      'an upload that made a folder, lost it, and made one more before it was refused',
      [
        call(1, { ...put('a'), path: ['x', 'y', 'f'], makesFolders: true } as Operation, { code: 'not_found' }, 20),
        call(3, { kind: 'delete', path: ['x'], permanent: true }, {}),
        call(4, folder('x'), { path: ['x'], uuid: uuid(2) }),
        call(5, { kind: 'delete', path: ['x', 'y'], permanent: true }, {}),
        call(6, { kind: 'delete', path: ['x'], permanent: true }, {}),
      ],
    ],
    ['a lock that was not free in time', [{ ...call(1, put('a'), { code: 'conflict' }), took: 5_001 }]],
  ])('is explained: %s', (_name, calls) => {
    expect(verdict(calls)).toBe('explained');
  });
});

describe('an invalid history', () => {
  it.each<[string, readonly Call[]]>([
    [
      'an update is lost',
      [call(1, put('a'), stored('a', 1)), call(2, put('b'), stored('b', 2)), call(3, get, { text: 'a' })],
    ],
    [
      'two writers at once get the same number',
      [call(1, put('a'), stored('a', 1), 5), call(2, put('b'), stored('b', 1), 4)],
    ],
    [
      'what was read before is gone again',
      [call(1, put('a'), stored('a', 1), 9), call(2, get, { text: 'a' }), call(3, get, { code: 'not_found' })],
    ],
    [
      'a deleted file is there again',
      [call(1, put('a'), stored('a', 1)), call(2, trash, { trashId: 't' }), call(3, get, { text: 'a' })],
    ],
    [
      'a version is not counted',
      [call(1, put('a'), stored('a', 1)), call(2, put('b'), stored('b', 2)), look(3, seen([file('b', 2)]))],
    ],
    [
      'a version has the bytes of another one',
      [
        call(1, put('a'), stored('a', 1)),
        call(2, put('b'), stored('b', 2)),
        look(3, seen([file('b', 2, [{ version: 1, text: 'b', isSigned: true }])])),
      ],
    ],
    [
      'a twin is made',
      [call(1, folder('d'), { path: ['d'], uuid: uuid(1) }), call(2, folder('D'), { path: ['D'], uuid: uuid(2) })],
    ],
    [
      'a twin in another Unicode form is made',
      [
        call(1, folder('\u00e9'), { path: ['\u00e9'], uuid: uuid(1) }),
        call(2, folder('e\u0301'), { path: ['e\u0301'], uuid: uuid(2) }),
      ],
    ],
    [
      'what was deleted is not in the trash',
      [call(1, put('a'), stored('a', 1)), call(2, trash, { trashId: 't' }), look(3, seen([]))],
    ],
    [
      'what was deleted is not listed in the trash',
      [
        call(1, put('a'), stored('a', 1)),
        call(2, trash, { trashId: 't' }),
        call(3, { kind: 'trash/list' }, { listed: [] }),
      ],
    ],
    [
      'a file gets another identity',
      [call(1, put('a'), stored('a', 1)), call(2, put('b'), stored('b', 2, { uuid: uuid(2) }))],
    ],
    [
      'two items have one identity',
      [call(1, put('a'), stored('a', 1)), call(2, folder('d'), { path: ['d'], uuid: uuid(1) })],
    ],
    [
      'an identity comes back from the dead',
      [
        call(1, put('a'), stored('a', 1)),
        call(2, { kind: 'delete', path: ['f'], permanent: true }, {}),
        call(3, put('b'), stored('b', 1)),
      ],
    ],
    ['a listing has less than there is', [call(1, put('a'), stored('a', 1)), call(2, list, { path: [], listed: [] })]],
    ['something is refused without a reason', [call(1, put('a'), { code: 'already_exists' })]],
    ['it breaks', [call(1, put('a'), { status: 500, code: 'internal_error' })]],
    ['a lock is given up too soon', [call(1, put('a'), { code: 'conflict' })]],
  ])('is detected: %s', (_name, calls) => {
    expect(verdict(calls)).toBe('contradiction');
  });

  it('is detected: a missing overwritten content, with versions off', () => {
    const calls = [call(1, put('a'), stored('a', 1)), call(2, put('b'), stored('b', 2))];
    expect(verdict([...calls, look(3, seen([file('b', 2)]))], 0)).toBe('contradiction');
    const kept = { id: 't', name: 'f', parentUuid: null, item: { ...file('a', 1), name: 't', uuid: uuid(2) } };
    expect(verdict([...calls, look(3, seen([file('b', 2)], { trash: [kept] }))], 0)).toBe('explained');
  });
});

describe('a copy of a folder', () => {
  const furnish = (): Call[] => [
    call(1, folder('d'), { path: ['d'], uuid: uuid(1) }),
    call(2, folder('e'), { path: ['e'], uuid: uuid(2) }),
    call(3, { ...put('1'), path: ['d', 'f'] } as Operation, stored('1', 1, { path: ['d', 'f'], uuid: uuid(3) })),
    call(4, { ...put('2'), path: ['d', 'g'] } as Operation, stored('2', 1, { path: ['d', 'g'], uuid: uuid(4) })),
    call(5, { kind: 'copy', path: ['d'], to: ['e'], overwrite: false }, { path: ['e', 'd'] }, 20),
    call(6, { ...put('11'), path: ['d', 'f'] } as Operation, stored('11', 2, { path: ['d', 'f'], uuid: uuid(3) })),
    call(7, { ...put('22'), path: ['d', 'g'] } as Operation, stored('22', 2, { path: ['d', 'g'], uuid: uuid(4) })),
  ];
  const read = (began: number, name: string, text: string) =>
    call(began, { kind: 'download', path: ['e', 'd', name], version: null }, { text });

  it.each([
    ['1', '2'],
    ['11', '2'],
    ['1', '22'],
    ['11', '22'],
  ])('can have each file of a different moment: %s and %s', (f, g) => {
    expect(verdict([...furnish(), read(21, 'f', f), read(22, 'g', g)])).toBe('explained');
  });

  it('has no content that never existed', () => {
    expect(verdict([...furnish(), read(21, 'f', '3')])).toBe('contradiction');
    expect(verdict([...furnish(), read(6.7, 'f', '1'), read(21, 'f', '11')])).toBe('contradiction');
  });
});

it('a contradiction is reported with the relevant calls', () => {
  const others = [call(3, get, { text: 'b' }), call(4, folder('x'), { path: ['x'], uuid: uuid(2) })];
  const calls = [
    call(1, put('a'), stored('a', 1)),
    call(2, put('b'), stored('b', 2)),
    ...others,
    call(5, get, { text: 'a' }),
  ];
  const complaint = complaintOf({ initial: emptyState(20), parts: [calls], problems: [] });
  expect(complaint).toMatchObject({ kind: 'contradiction', part: 0, stuck: [{ id: 5 }] });
  expect(complaint?.kind === 'contradiction' && complaint.calls.map(({ id }) => id)).toEqual([1, 2, 4, 5]);
});
