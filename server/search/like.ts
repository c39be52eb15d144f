/** A pattern of `LIKE`: each element stands for one character, and `%` for any number of them. */
type Part = { readonly kind: 'any' } | { readonly kind: 'one' } | { readonly kind: 'letter'; readonly letter: string };

export interface LikePattern {
  readonly parts: readonly Part[];
  /** The longest run of letters that every matching text contains; empty if there is none. */
  readonly run: string;
  /** Whether a text matches if it contains the run, and otherwise does not. */
  readonly isRun: boolean;
}

/** Parses a pattern (RFC 5323 §5.11): `%` stands for any characters, `_` for one, and `\` makes the next one a letter. */
export function likePattern(text: string): LikePattern {
  const parts: Part[] = [];
  let isEscaped = false;
  for (const letter of text) {
    if (isEscaped) parts.push({ kind: 'letter', letter });
    else if (letter === '%') parts.push({ kind: 'any' });
    else if (letter === '_') parts.push({ kind: 'one' });
    else if (letter !== '\\') parts.push({ kind: 'letter', letter });
    isEscaped = !isEscaped && letter === '\\';
  }
  return withRun(parts);
}

/** A pattern that only one text matches. */
export function exactPattern(text: string): LikePattern {
  return withRun([...text].map((letter) => ({ kind: 'letter', letter })));
}

function withRun(parts: readonly Part[]): LikePattern {
  const runs = [''];
  for (const part of parts) {
    if (part.kind === 'letter') runs.push(`${runs.pop()}${part.letter}`);
    else runs.push('');
  }
  const run = runs.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  const inner = parts.slice(1, -1);
  const isRun = isAny(parts[0]) && isAny(parts.at(-1)) && inner.every(({ kind }) => kind === 'letter');
  return { parts, run, isRun };
}

function isAny(part: Part | undefined): boolean {
  return part?.kind === 'any';
}

/** Whether a text matches, in time proportional to pattern times text at most. */
export function fitsLike({ parts }: LikePattern, text: string): boolean {
  const letters = [...text];
  let [part, letter, any, from] = [0, 0, -1, 0];
  while (letter < letters.length) {
    const requested = parts[part];
    if (requested?.kind === 'any') {
      any = part;
      from = letter;
      part += 1;
    } else if (requested !== undefined && (requested.kind === 'one' || requested.letter === letters[letter])) {
      part += 1;
      letter += 1;
    } else if (any >= 0) {
      // Backtracks: the last `%` takes one more character.
      part = any + 1;
      from += 1;
      letter = from;
    } else return false;
  }
  while (isAny(parts[part])) part += 1;
  return part === parts.length;
}
