/** The destination of log lines. */
interface LineSink {
  write(line: string): void;
}

/** How often an equal line is written within one period, and the length of a period in milliseconds. */
const WRITTEN = 5;
const PERIOD = 10_000;
/** Most distinct lines within a period; further ones are only counted, except for failures. */
const MAX_KINDS = 2_000;

/** The parts that differ between equal lines. */
const VARYING = /"(?:time|requestId)":"[^"]*",?|"ms":\d+,?/g;

interface Kind {
  count: number;
  last: string;
}

/**
 * Passes log lines on, but suppresses repetitions within some seconds: a line at the end of the period has their number
 * (`repeated`). So a client that repeats a request endlessly cannot fill the disk.
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
    } else if (this.#kinds.size < MAX_KINDS) this.#kinds.set(key, { count: 1, last: line });
    else if (/^\{"level":"(?:trace|debug|info)"/.test(line)) {
      this.#uncounted += 1;
      return;
    }
    this.#target.write(line);
  }

  /** Ends the period: writes the number of suppressed lines. */
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
