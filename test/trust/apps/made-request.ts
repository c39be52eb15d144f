import type { Random } from '../../model/random.ts';
import { HOSTILE_NUMBERS, HOSTILE_PATHS, HOSTILE_TEXTS } from '../values/hostile-values.ts';

/** A request for one of the front ends of apps. */
export interface MadeRequest {
  readonly method: string;
  /** From the first slash on, as it is sent. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | null;
}

/** Values that earlier replies contained, by what they are: addresses of uploads, tokens of locks, numbers of shares. */
export class Learned {
  readonly #values = new Map<string, string[]>();

  add(kind: string, value: string): void {
    const known = this.#values.get(kind) ?? [];
    if (!known.includes(value)) this.#values.set(kind, [...known, value].slice(-30));
  }

  of(kind: string): readonly string[] {
    return this.#values.get(kind) ?? [];
  }
}

/** The parts of which requests are made, with their random choices. */
export class Maker {
  readonly random: Random;
  readonly learned: Learned;
  /** Of the account that owns the app password. */
  readonly username: string;
  /** The app password, and the token of the API. */
  readonly basic: string;
  readonly bearer: string;
  /** Whether the present request has only values that a well-made program could send. */
  isSensible = true;

  constructor(parts: Pick<Maker, 'random' | 'learned' | 'username' | 'basic' | 'bearer'>) {
    this.random = parts.random;
    this.learned = parts.learned;
    this.username = parts.username;
    this.basic = parts.basic;
    this.bearer = parts.bearer;
  }

  /** One of the sensible values, or of the hostile ones in a request that is not sensible. */
  value(sensible: readonly string[], hostile: readonly string[] = HOSTILE_TEXTS): string {
    return this.random.pick(this.isSensible || this.random.chance(0.5) ? sensible : hostile);
  }

  number(sensible: readonly string[]): string {
    return this.value(sensible, [...HOSTILE_NUMBERS, '', '1.5', 'x', ' 1', '1 ', '+1', '00', '1,1']);
  }

  learnedOr(kind: string, otherwise: readonly string[]): string {
    const known = this.learned.of(kind);
    return known.length > 0 && this.random.chance(0.7) ? this.random.pick(known) : this.value(otherwise);
  }

  /** A name or path in an address: encoded as it should be, or as it stands. */
  encodedPath(sensible: readonly string[]): string {
    if (this.isSensible || this.random.chance(0.4)) return this.random.pick(sensible);
    const hostile = this.random.pick(this.random.chance(0.6) ? HOSTILE_PATHS : HOSTILE_TEXTS).slice(0, 3_000);
    return this.random.chance(0.5) ? encodeURIComponent(hostile.toWellFormed()) : asItStands(hostile);
  }

  /** Some of the headers that are offered. @param often how likely each is, 0 to 1 */
  headers(offered: Readonly<Record<string, () => string>>, often: number): Record<string, string> {
    const chosen = Object.entries(offered).filter(() => this.random.chance(often));
    return Object.fromEntries(chosen.map(([name, make]) => [name, make()]));
  }

  /** Bytes or a text with some of its characters taken out, doubled or replaced. */
  mutated(text: string): string {
    if (this.isSensible || text === '') return text;
    const { random } = this;
    const at = random.below(text.length);
    return random.pick([
      text.slice(0, at),
      text.slice(0, at) + text.slice(at + 1 + random.below(20)),
      text.slice(0, at) +
        random.pick(['<', '>', '&', '"', '\u0000', '&x;', '<![CDATA[', ']]>', '\ud83d']) +
        text.slice(at),
      text + text,
      text.replaceAll('DAV:', random.pick(['', 'dav:', 'DAV:x'])),
    ]);
  }
}

/** What can be sent in the first line of a request. */
function asItStands(text: string): string {
  return text
    .replace(/[^\x21-\x7e]/g, '%20')
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F');
}

/** What can be sent as the value of a header. */
export function asHeader(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '?').slice(0, 4_000);
}
