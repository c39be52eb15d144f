import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ByteRange as Span } from '../../http/response/send-file.ts';

export type { ByteRange as Span } from '../../http/response/send-file.ts';

export interface CountedContent {
  /** Another content has another one. */
  readonly etag: string;
  readonly size: number;
}

/** Whoever has to know what goes out: asked before the first byte, while bytes go out, and when it is over. */
export interface DownloadCounter {
  /** @param spans in the order in which they are sent; none of an empty content @throws ApiError when nothing more may go out */
  begin(content: CountedContent, spans: readonly Span[]): Promise<Outgoing>;
}

/** A reply that is counted. */
export interface Outgoing {
  /** Called before bytes of the content go out, in their order. @returns what to wait for before they do, if anything */
  passing(bytes: number): Promise<void> | undefined;
  /** @param isWhole whether all of it has gone out */
  ended(isWhole: boolean): Promise<void>;
}

/** Hears of a reply from before its first byte to its end. */
export class Counted {
  readonly #counter: DownloadCounter | undefined;
  readonly #response: ServerResponse;
  #outgoing: Outgoing | null = null;

  constructor(counter: DownloadCounter | undefined, response: ServerResponse) {
    this.#counter = counter;
    this.#response = response;
  }

  /** @throws ApiError when nothing more may go out */
  async begin(content: CountedContent, spans: readonly Span[]): Promise<void> {
    this.#outgoing = (await this.#counter?.begin(content, spans)) ?? null;
    if (spans.length === 0) await this.#outgoing?.passing(0);
  }

  /**
   * The same of what is made on the way.
   * @param size null where it is not known before: of that the first byte counts as all of it
   */
  async beginMade(size: number | null): Promise<void> {
    const spans = size === null ? [] : [{ start: 0, end: size - 1 }];
    await this.begin({ etag: randomUUID(), size: size ?? 0 }, spans);
  }

  /** Before bytes go out; nothing where nothing is counted. */
  get passing(): ((bytes: number) => Promise<void> | undefined) | undefined {
    const outgoing = this.#outgoing;
    return outgoing === null ? undefined : (bytes) => outgoing.passing(bytes);
  }

  /** When nothing more is sent: waits until it is known whether all of it has gone out. */
  async end(): Promise<void> {
    if (this.#outgoing === null) return;
    if (!this.#response.closed) await once(this.#response, 'close').catch(() => undefined);
    await this.#outgoing.ended(this.#response.writableFinished);
  }
}
