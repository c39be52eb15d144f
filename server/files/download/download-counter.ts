import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ByteRange as Span } from '../../http/response/send-file.ts';
import { settled } from '../../lib/async/settled.ts';

export type { ByteRange as Span } from '../../http/response/send-file.ts';

export interface CountedContent {
  /** Each content has its own. */
  readonly etag: string;
  readonly size: number;
}

/** Counts what a download sends: called before the first byte, while bytes are sent, and at the end. */
export interface DownloadCounter {
  /** @param spans in sending order; empty for an empty content @throws ApiError when nothing more may be sent */
  begin(content: CountedContent, spans: readonly Span[]): Promise<Outgoing>;
}

/** A reply whose bytes are counted. */
export interface Outgoing {
  /** Called before bytes of the content are sent, in order. @returns a promise to wait for before sending them, if any */
  onBytes(bytes: number): Promise<void> | undefined;
  /** @param isWhole whether the reply was sent completely; for a range that is less than the content */
  ended(isWhole: boolean): Promise<void>;
}

/** Calls the counter of a reply, from before its first byte to its end. */
export class Counted {
  readonly #counter: DownloadCounter | undefined;
  readonly #response: ServerResponse;
  #outgoing: Outgoing | null = null;
  #end: Promise<void> | null = null;

  constructor(counter: DownloadCounter | undefined, response: ServerResponse) {
    this.#counter = counter;
    this.#response = response;
  }

  /** @throws ApiError when nothing more may be sent */
  async begin(content: CountedContent, spans: readonly Span[]): Promise<void> {
    this.#outgoing = (await this.#counter?.begin(content, spans)) ?? null;
    if (spans.length === 0) await this.#outgoing?.onBytes(0);
  }

  /**
   * The same for content that is generated while it is sent.
   * @param size bytes; null if unknown: then the first byte counts as the whole content
   */
  async beginMade(size: number | null): Promise<void> {
    const spans = size === null ? [] : [{ start: 0, end: size - 1 }];
    await this.begin({ etag: randomUUID(), size: size ?? 0 }, spans);
  }

  /** Called before bytes are sent; undefined where nothing is counted. */
  get onBytes(): ((bytes: number) => Promise<void> | undefined) | undefined {
    const outgoing = this.#outgoing;
    return outgoing === null ? undefined : (bytes) => outgoing.onBytes(bytes);
  }

  /** Called when nothing more is sent, once or more often: resolves once it is known whether everything was sent. */
  end(): Promise<void> {
    if (this.#end === null) {
      this.#end = this.#ended();
      // Its failure is for those who wait for it, who may come later.
      void settled(this.#end);
    }
    return this.#end;
  }

  async #ended(): Promise<void> {
    if (this.#outgoing === null) return;
    if (!this.#response.closed) await settled(once(this.#response, 'close'));
    await this.#outgoing.ended(this.#response.writableFinished);
  }
}
