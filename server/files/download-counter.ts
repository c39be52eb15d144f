import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ByteSpan as Span } from '../http/send-file.ts';

export type { ByteSpan as Span } from '../http/send-file.ts';

export interface CountedContent {
  /** Another content has another one. */
  readonly etag: string;
  readonly size: number;
}

/** Whoever has to know what goes out: asked before the first byte, told before the last of the content, and when it is over. */
export interface DownloadCounter {
  /** @param spans in the order in which they are sent; none of an empty content @throws ApiError when nothing more may go out */
  begin(content: CountedContent, spans: readonly Span[]): Promise<Outgoing>;
}

/** A reply that is counted. */
export interface Outgoing {
  /** Called before the last byte of the content goes out, where that is part of the reply. */
  beforeLast(): Promise<void>;
  /** @param isWhole whether all of it has gone out */
  ended(isWhole: boolean): Promise<void>;
}

/** Hears of a reply from before its first byte to its end. */
export class Counted {
  readonly #counter: DownloadCounter | undefined;
  readonly #response: ServerResponse;
  #outgoing: Outgoing | null = null;
  #size = 0;

  constructor(counter: DownloadCounter | undefined, response: ServerResponse) {
    this.#counter = counter;
    this.#response = response;
  }

  /** @throws ApiError when nothing more may go out */
  async begin(content: CountedContent, spans: readonly Span[]): Promise<void> {
    this.#size = content.size;
    this.#outgoing = (await this.#counter?.begin(content, spans)) ?? null;
    if (spans.length === 0) await this.#outgoing?.beforeLast();
  }

  /** The same of what is made on the way: all of it, or nothing. */
  async beginMade(): Promise<void> {
    await this.begin({ etag: randomUUID(), size: 1 }, [{ start: 0, end: 0 }]);
  }

  /** Before the end of what is made goes out. */
  beforeLast = async (): Promise<void> => {
    await this.#outgoing?.beforeLast();
  };

  /** Sends bytes; the last one of the content on its own, once it is counted. */
  async send({ start, end }: Span, sendSpan: (start: number, end: number) => Promise<void>): Promise<void> {
    if (this.#outgoing === null || end < this.#size - 1) return sendSpan(start, end);
    if (start < end) await sendSpan(start, end - 1);
    await this.#outgoing.beforeLast();
    await sendSpan(end, end);
  }

  /** When nothing more is sent: waits until it is known whether all of it has gone out. */
  async end(): Promise<void> {
    if (this.#outgoing === null) return;
    if (!this.#response.closed) await once(this.#response, 'close').catch(() => undefined);
    await this.#outgoing.ended(this.#response.writableFinished);
  }
}
