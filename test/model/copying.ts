import { type Outcome, putContent } from './changes.ts';
import type { Call, Path } from './history.ts';
import type { Step } from './linearize.ts';
import {
  type FileNode,
  type FolderNode,
  folded,
  folderAt,
  type Node,
  nameIn,
  nodeAt,
  type State,
  twinIn,
  withChild,
} from './state.ts';

/** A file with its content, or with null a folder, below what is copied. */
interface Captured {
  readonly path: Path;
  readonly text: string | null;
}

/** Plain data: it is part of what tells one configuration of the search from another. */
export interface CopyProgress {
  readonly stage: 'look' | 'read' | 'publish';
  readonly name: string;
  readonly isDir: boolean;
  readonly captured: readonly Captured[];
  /** What was listed and is still to be read. */
  readonly pending: readonly { readonly path: Path; readonly isDir: boolean }[];
}

type Copy = Extract<Call['operation'], { kind: 'copy' }>;
type Steps<Progress> = readonly Step<State, Progress>[];

/**
 * A copy looks at its source, looks whether the name is free, reads, and takes the name, each at a moment of its own. What
 * it reads of a folder is no picture of one moment: every listing and every file is read for itself, in any order, and
 * what has gone by then is left out.
 */
export function copySteps<Progress>(
  state: State,
  { id, reply }: Call,
  { operation, readsAtOnce }: { operation: Copy; readsAtOnce: boolean },
  progress: CopyProgress | null,
  change: (outcome: Outcome) => Steps<Progress>,
): Steps<Progress | CopyProgress> {
  const { path, to, overwrite } = operation;
  const refused = (code: string) => change(code);
  if (progress === null) {
    const spot = nodeAt(state, path);
    if (spot === null) return refused('not_found');
    const { name, node } = spot;
    return [going(state, { stage: 'look', name, isDir: node.isDir, captured: [], pending: [] })];
  }
  const { stage, name, isDir } = progress;
  const target = [...to, name];
  if (stage === 'look') {
    const code = isDir && isInside(target, path) ? 'invalid_path' : whyNotFree(state, target, overwrite && !isDir);
    return code === null
      ? [going(state, { ...progress, stage: 'read', pending: [{ path: [], isDir }] })]
      : refused(code);
  }
  if (stage === 'read') {
    const read = captures(state, path, progress, readsAtOnce);
    return read.length === 0 ? refused('not_found') : read.map((next) => going(state, next));
  }
  if (reply.code === 'not_found' && folderAt(state, to) === null) return refused('not_found');
  if (isDir) return change(putTree(state, target, progress.captured, `${id}`));
  const text = progress.captured[0]?.text ?? '';
  const outcome = putContent(state, target, { text, isSigned: true }, overwrite, `${id}`);
  return change(typeof outcome === 'string' ? outcome : { ...outcome, says: { path: outcome.says.path ?? [] } });
}

function going(state: State, progress: CopyProgress): Step<State, CopyProgress> {
  return { state, progress, isFree: false };
}

function isInside(target: Path, source: Path): boolean {
  return target.length > source.length && source.every((segment, at) => folded(segment) === folded(target[at] ?? ''));
}

function whyNotFree(state: State, target: Path, mayReplace: boolean): string | null {
  const place = folderAt(state, target.slice(0, -1));
  if (place === null) return 'not_found';
  const name = nameIn(place.folder, target.at(-1) ?? '');
  const there = name === null ? undefined : place.folder.children.get(name);
  return there === undefined || (mayReplace && !there.isDir) ? null : 'already_exists';
}

/** All that is left at one moment, which is tried first, or one of it. Nothing when the source itself has gone. */
function captures(state: State, source: Path, progress: CopyProgress, readsAtOnce: boolean): CopyProgress[] {
  const { pending } = progress;
  const all = readAll(state, source, progress);
  const isSingle = readsAtOnce || (pending.length === 1 && !pending[0]?.isDir);
  const each = isSingle ? [] : pending.map((_, index) => readOne(state, source, progress, index));
  return [all, ...each].filter((next) => next !== null);
}

function readAll(state: State, source: Path, progress: CopyProgress): CopyProgress | null {
  let next: CopyProgress | null = progress;
  while (next !== null && next.pending.length > 0) next = readOne(state, source, next, 0);
  return next;
}

function readOne(state: State, source: Path, progress: CopyProgress, index: number): CopyProgress | null {
  const one = progress.pending[index];
  const rest = progress.pending.filter((_, at) => at !== index);
  const node = one === undefined ? undefined : nodeAt(state, [...source, ...one.path])?.node;
  const isGone = one === undefined || node === undefined || node.isDir !== one.isDir;
  if (isGone && one?.path.length === 0) return null;
  if (isGone) return { ...progress, pending: rest, stage: rest.length === 0 ? 'publish' : 'read' };
  const inside = node.isDir
    ? [...node.children].map(([name, child]) => ({ path: [...one.path, name], isDir: child.isDir }))
    : [];
  const captured = [...progress.captured, { path: one.path, text: node.isDir ? null : node.text }].sort((a, b) =>
    a.path.join('/') < b.path.join('/') ? -1 : 1,
  );
  const pending = [...rest, ...inside];
  return { ...progress, captured, pending, stage: pending.length === 0 ? 'publish' : 'read' };
}

function putTree(state: State, target: Path, captured: readonly Captured[], id: string): Outcome {
  const place = folderAt(state, target.slice(0, -1));
  const name = target.at(-1) ?? '';
  if (place === null) return 'not_found';
  if (twinIn(place.folder, name) !== null) return 'already_exists';
  const tree = treeOf(captured, [], id);
  return { state: withChild(state, place.names, name, tree), says: { path: target } };
}

function treeOf(captured: readonly Captured[], path: Path, id: string): Node {
  const key = path.length === 0 ? id : `${id}/${path.join('/')}`;
  const text = captured.find((one) => one.path.join('/') === path.join('/'))?.text ?? null;
  if (text !== null) {
    // The copy of a folder signs the folder only: what is in it is met by the next listing.
    const file: FileNode = { isDir: false, id: key, uuid: null, version: 1, text, isSigned: false, history: [] };
    return file;
  }
  const inside = captured.filter(
    (one) => one.path.length === path.length + 1 && path.every((segment, at) => one.path[at] === segment),
  );
  const children = inside.map((one): [string, Node] => [one.path.at(-1) ?? '', treeOf(captured, one.path, id)]);
  const folder: FolderNode = { isDir: true, id: key, uuid: null, children: new Map(children) };
  return folder;
}
