import {
  deleteItem,
  deleteVersion,
  makeFolder,
  moveItem,
  type Outcome,
  putBack,
  putContent,
  restoreVersion,
  retire,
} from './changes.ts';
import { BROKEN } from './client.ts';
import { type CopyProgress, copySteps } from './copying.ts';
import type { Call, Listed, Path, Reply } from './history.ts';
import type { Step } from './linearize.ts';
import { contentOf, identified, listedAs, observedAs, trashListedAs, versionsOf } from './reads.ts';
import { folded, nodeAt, type State, type Trashed } from './state.ts';

/** A number: how many of its folders an upload has made, or a listing has read. */
export type Progress = number | CopyProgress | { readonly trashes: string } | { readonly restored: Trashed['trashId'] };

type Steps = readonly Step<State, Progress>[];

/** After so many milliseconds an operation may give up waiting for another one on its path. */
const LOCK_TIMEOUT = 5_000;

/**
 * The rules of the API: what each operation may do at one moment, and what its reply must then say. Where an operation is
 * several steps by design, so it is here: folders that an upload makes, the folders of a recursive listing, what a copy
 * reads before it appears, and the row in the trash, which comes after the rename out of the folder.
 * @param readsAtOnce whether a copy reads all of a folder at one moment: a narrower question, which is answered sooner
 */
export function stepsOf(state: State, call: Call, progress: Progress | null, readsAtOnce: boolean): Steps {
  const { operation, reply } = call;
  if (reply.code === 'conflict' && reply.offset === undefined && call.took >= LOCK_TIMEOUT)
    return finished(state, state);
  if (typeof progress === 'object' && progress !== null) {
    if ('trashes' in progress) return finished(state, listedInTrash(state, progress.trashes));
    if ('restored' in progress)
      return finished(state, { ...state, trash: state.trash.filter(({ trashId }) => trashId !== progress.restored) });
  }
  switch (operation.kind) {
    case 'createfolder':
      return change(state, reply, makeFolder(state, operation.path, operation.name, `${call.id}`));
    case 'upload':
      return uploadSteps(state, call, operation, typeof progress === 'number' ? progress : null);
    case 'rename':
      return change(
        state,
        reply,
        moveItem(state, operation.path, [...operation.path.slice(0, -1), operation.newName], operation.overwrite),
      );
    case 'move':
      return change(
        state,
        reply,
        moveItem(state, operation.path, [...operation.to, operation.path.at(-1) ?? ''], operation.overwrite),
      );
    case 'copy': {
      const captured = typeof progress === 'object' && progress !== null && 'stage' in progress ? progress : null;
      return copySteps(state, call, { operation, readsAtOnce }, captured, (outcome) => change(state, reply, outcome));
    }
    case 'delete':
      return change(
        state,
        reply,
        deleteItem(state, operation.path, operation.permanent ? null : (reply.trashId ?? '')),
      );
    case 'trash/restore':
    case 'trash/delete':
      return trashSteps(state, call, operation.trashId, operation.kind === 'trash/restore');
    case 'versions/restore':
      return change(state, reply, restoreVersion(state, operation.path, operation.version, `${call.id}`));
    case 'versions/delete':
      return change(state, reply, deleteVersion(state, operation.path, operation.version));
    case 'browse':
      return browseSteps(
        state,
        reply,
        operation.path,
        operation.recursive,
        typeof progress === 'number' ? progress : 0,
      );
    default:
      return finished(state, afterRead(state, call));
  }
}

/** What only looks, and all of it at one moment. @returns null when it would have looked different */
function afterRead(state: State, { operation, reply }: Call): State | null {
  switch (operation.kind) {
    case 'trash/list':
      return reply.code === null && trashListedAs(state, reply.listed ?? []) ? state : null;
    case 'versions/list':
      return says(reply, versionsOf(state, operation.path)) ? state : null;
    case 'download':
      if (reply.code === BROKEN) return nodeAt(state, operation.path)?.node.isDir ? state : null;
      return says(reply, contentOf(state, operation.path, operation.version)) ? state : null;
    case 'observe':
      return reply.observed === undefined ? null : observedAs(state, reply.observed);
    default:
      return null;
  }
}

function finished(before: State, after: State | null): Steps {
  return after === null ? [] : [{ state: after, progress: null, isFree: after === before }];
}

/** Whether the reply is this refusal, or says just this. */
function says(reply: Reply, outcome: string | Partial<Reply>): boolean {
  if (typeof outcome === 'string') return reply.code === outcome;
  if (reply.code !== null) return false;
  return Object.entries(outcome).every(
    ([key, value]) => JSON.stringify(reply[key as keyof Reply]) === JSON.stringify(value),
  );
}

function change(before: State, reply: Reply, outcome: Outcome): Steps {
  if (typeof outcome === 'string') return finished(before, says(reply, outcome) ? before : null);
  const { tells, trashes } = outcome;
  if (!says(reply, outcome.says)) return [];
  const isTold = tells !== undefined && reply.uuid !== undefined;
  const state = isTold ? identified(outcome.state, tells.names, tells.name, reply.uuid) : outcome.state;
  if (state === null) return [];
  if (trashes === undefined) return finished(before, state);
  return [{ state, progress: { trashes }, isFree: false }];
}

function listedInTrash(state: State, id: string): State {
  const trash = state.trash.map((item) => (item.node.id === id ? { ...item, isOnItsWay: false } : item));
  return { ...state, trash };
}

function uploadSteps(
  start: State,
  { id, reply }: Call,
  operation: Extract<Call['operation'], { kind: 'upload' }>,
  progress: number | null,
): Steps {
  const { path, piece, makesFolders } = operation;
  let state = start;
  let { text } = operation;
  if (piece !== undefined && progress === null) {
    const taken = withPiece(state, path, piece, text);
    if (typeof taken === 'number')
      return finished(state, reply.code === 'conflict' && reply.offset === taken ? state : null);
    state = taken;
  }
  if (piece !== undefined) {
    text = state.uploads.get(keyOf(path, piece.total))?.text ?? '';
    if (text.length < piece.total) return finished(start, says(reply, { offset: text.length }) ? state : null);
  }
  const depth = (progress ?? 0) + 1;
  if (makesFolders && depth < path.length) {
    const isThere = nodeAt(state, path.slice(0, depth))?.node.isDir === true;
    const made = isThere ? null : makeFolder(state, path.slice(0, depth - 1), path[depth - 1] ?? '', `${id}.${depth}`);
    // Never free: at another moment this step finds a folder, or makes one, and the refusal comes later.
    if (typeof made === 'string' && made !== 'already_exists')
      return finished(start, reply.code === made ? state : null).map((step) => ({ ...step, isFree: false }));
    const next = made === null || typeof made === 'string' ? state : made.state;
    return [{ state: next, progress: depth, isFree: false }];
  }
  const outcome = putContent(state, path, { text, isSigned: true }, true, `${id}`);
  if (piece === undefined || typeof outcome === 'string')
    return change(state, reply, outcome).map((step) => ({ ...step, isFree: step.isFree && step.state === start }));
  const uploads = new Map([...outcome.state.uploads].filter(([key]) => key !== keyOf(path, piece.total)));
  return change(state, reply, { ...outcome, state: { ...outcome.state, uploads } });
}

/** Another size is another upload. */
function keyOf(path: Path, total: number): string {
  return `${path.map(folded).join('/')} ${total}`;
}

/** @returns the offset where the upload goes on, when this piece does not follow */
function withPiece(
  state: State,
  path: Path,
  { start, total }: { start: number; total: number },
  text: string,
): State | number {
  const known = state.uploads.get(keyOf(path, total)) ?? { total, text: '' };
  if (start > known.text.length) return known.text.length;
  const uploads = new Map(state.uploads).set(keyOf(path, total), { total, text: known.text.slice(0, start) + text });
  return { ...state, uploads };
}

/** An id that no reply has told yet may be that of any content which an overwrite put there. */
function trashSteps(state: State, { reply }: Call, trashId: string, isRestore: boolean): Steps {
  const listed = state.trash.filter((item) => !item.isOnItsWay);
  const known = listed.find((item) => item.trashId === trashId);
  if (reply.code !== null) return finished(state, reply.code === 'not_found' && known === undefined ? state : null);
  const candidates = known === undefined ? listed.filter((item) => item.trashId === null) : [known];
  return candidates.flatMap((item): Steps => {
    const rest = state.trash.filter((other) => other !== item);
    if (!isRestore) return finished(state, retire({ ...state, trash: rest }, item.node));
    const back = putBack({ ...state, trash: [...rest, { ...item, trashId }] }, item);
    return says(reply, back.says) ? [{ state: back.state, progress: { restored: trashId }, isFree: false }] : [];
  });
}

/** One folder after the other, each before what is in it; one that has gone meanwhile has nothing in it. */
function browseSteps(state: State, reply: Reply, path: Path, recursive: boolean, index: number): Steps {
  const listed = reply.listed ?? [];
  const isIn = (folder: Path) => (entry: Listed) =>
    entry.path.length === folder.length + 1 && folder.every((segment, at) => entry.path[at] === segment);
  const top = reply.path ?? [];
  const folders = [top, ...listed.filter((entry) => recursive && entry.isDir).map((entry) => entry.path)];
  const folder = index === 0 ? path : (folders[index] ?? []);
  const entries = listed.filter(isIn(folders[index] ?? []));
  const next = listedAs(state, folder, entries);
  const isGone = index > 0 && entries.length === 0 && nodeAt(state, folder)?.node.isDir !== true;
  if (reply.code !== null) return finished(state, reply.code === 'not_found' && isNoFolder(state, path) ? state : null);
  if (index === folders.length - 1) return finished(state, next ?? (isGone ? state : null));
  const after = next ?? (isGone ? state : null);
  return after === null ? [] : [{ state: after, progress: index + 1, isFree: after === state }];
}

function isNoFolder(state: State, path: Path): boolean {
  return path.length > 0 && nodeAt(state, path)?.node.isDir !== true;
}
