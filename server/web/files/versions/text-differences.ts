import { diffLines, diffWordsWithSpace } from 'diff';

/** A part of a line; marked where it differs from the other side. */
export interface LinePart {
  readonly text: string;
  readonly isMarked: boolean;
}

export interface ComparedLine {
  /** Its number in its text, from 1. */
  readonly number: number;
  readonly parts: readonly LinePart[];
}

/** Lines beside each other: equal ones, or what is gone and what came. One of them is null where the other has nothing beside it. */
export interface ComparedRow {
  readonly isEqual: boolean;
  readonly before: ComparedLine | null;
  readonly after: ComparedLine | null;
}

/** Most insertions and deletions of lines that are searched for: the work grows with their square. */
const MAX_EDITS = 3_000;
/** The same for words within one line. */
const MAX_WORD_EDITS = 300;

/** Compares two texts line by line. @returns null if they have too little in common */
export function differencesOf(before: string, after: string): ComparedRow[] | null {
  const parts = diffLines(unified(before), unified(after), { maxEditLength: MAX_EDITS });
  if (parts === undefined) return null;
  const rows: ComparedRow[] = [];
  const next = { before: 1, after: 1 };
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined) break;
    const lines = linesOf(part.value);
    if (!part.added && !part.removed) {
      for (const text of lines) {
        const whole = [{ text, isMarked: false }];
        const sides = {
          before: { number: next.before++, parts: whole },
          after: { number: next.after++, parts: whole },
        };
        rows.push({ isEqual: true, ...sides });
      }
      continue;
    }
    // What is removed comes first, and what replaces it follows.
    const following = parts[index + 1];
    const isReplaced = part.removed && following?.added === true;
    const gone = part.removed ? lines : [];
    const came = part.added ? lines : isReplaced ? linesOf(following.value) : [];
    if (isReplaced) index += 1;
    for (let line = 0; line < Math.max(gone.length, came.length); line += 1) {
      const [old, fresh] = compareLine(gone[line], came[line]);
      rows.push({
        isEqual: false,
        before: old && { number: next.before++, parts: old },
        after: fresh && { number: next.after++, parts: fresh },
      });
    }
  }
  return rows;
}

/** The ends of lines are not content: editors on Windows write others. */
function unified(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

type Sides = readonly [before: LinePart[] | null, after: LinePart[] | null];

function compareLine(before: string | undefined, after: string | undefined): Sides {
  const whole = (text: string | undefined) => (text === undefined ? null : [{ text, isMarked: true }]);
  if (before === undefined || after === undefined) return [whole(before), whole(after)];
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORD_EDITS });
  if (parts === undefined) return [whole(before), whole(after)];
  const side = (other: 'added' | 'removed', own: 'added' | 'removed') =>
    parts.filter((part) => !part[other]).map(({ value: text, [own]: isMarked }) => ({ text, isMarked }));
  return [side('added', 'removed'), side('removed', 'added')];
}
