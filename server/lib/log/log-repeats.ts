/** Where lines of a log go. */
export interface LineSink {
  write(line: string): void;
}

/** How often the same line is written within one period, and how long a period is, in milliseconds. */
const WRITTEN = 5;
const PERIOD = 10_000;
/** Different lines that are told apart within a period; of what is no failure, further ones are only counted. */
const MOST_KINDS = 2_000;

/** What differs between two lines that say the same. */
const VARYING = /"(?:time|requestId)":"[^"]*",?|"ms":\d+,?/g;

interface Kind {
  count: number;
  last: string;
}

/**
 * Passes lines of a log on, unless the same one came several times within some seconds: of further ones, a line at the end of
 * the period says how many there were (`repeated`). So whoever sends the same request without end fills no disk.
 */
export class RepeatFilter implements LineSink {
  readonly #target: LineSink;
  readonly #kinds = new Map<string, Kind>();
  #uncounted = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(target: LineSink) {
    this.#target = target;
  }

  write(line: string): void {
    this.#timer ??= setTimeout(() => this.flush(), PERIOD).unref();
    const key = line.replace(VARYING, '');
    const kind = this.#kinds.get(key);
    if (kind !== undefined) {
      kind.count += 1;
      kind.last = line;
      if (kind.count > WRITTEN) return;
    } else if (this.#kinds.size < MOST_KINDS) this.#kinds.set(key, { count: 1, last: line });
    else if (/^\{"level":"(?:trace|debug|info)"/.test(line)) {
      this.#uncounted += 1;
      return;
    }
    this.#target.write(line);
  }

  /** Ends the period: writes how many lines were left out. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const { count, last } of this.#kinds.values()) {
      if (count > WRITTEN) this.#target.write(summary(last, count - WRITTEN));
    }
    if (this.#uncounted > 0) {
      const msg = `${this.#uncounted} further lines are left out: too many different ones came at once`;
      this.#target.write(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`);
    }
    this.#kinds.clear();
    this.#uncounted = 0;
  }
}

function summary(line: string, repeated: number): string {
  const { msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  return `${JSON.stringify({ ...fields, repeated, msg: `${String(msg)} (repeated ${repeated} times)` })}\n`;
}
