import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { SerializedBody } from './response/serialized-body.ts';
import type { StreamedList } from './response/streamed-list.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT';

/** What an operation gets to work with. */
interface Call<Principal, Params, Plan> {
  /** As it is once the body has arrived. */
  readonly principal: Principal;
  readonly params: Params;
  /** The upload that the request carried, received; null for a request without content. */
  readonly plan: Plan;
  /**
   * Asks again whether the request may call the operation, for work that waits.
   * @throws ApiError when its token or session has ended meanwhile
   */
  readonly confirm: () => Promise<void>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What is known of an upload before its content. */
interface Announced<Principal, Params> {
  readonly principal: Principal;
  /** From the query; null where a form may still carry the missing parameters, and where the query announces no content. */
  readonly params: Params | null;
  /** Whether the content is the body of a PUT, rather than a part of a form. */
  readonly isWholeBody: boolean;
  /** Bytes that the client announced, or null. */
  readonly bytes: number | null;
  readonly headers: IncomingHttpHeaders;
}

/** An upload whose checks are done before its content arrives. */
export interface ContentPlan {
  /** Takes the content. */
  receive(content: Readable): Promise<void>;
  /** Removes what was received, when the call fails. Without anything received it does nothing. */
  drop(): Promise<void>;
}

/** How an operation receives content: the raw body of a PUT, or the part named `file` of a multipart POST. */
export interface UploadHooks<Principal, Params, Plan extends ContentPlan> {
  /** Rejects an upload before its content arrives: clients that wait for `100 Continue` never send it. @throws ApiError */
  prepare(announced: Announced<Principal, Params>): Promise<Plan>;
  /** Whether a request with these parameters has content; it does unless this returns false. */
  expects?(params: Params): boolean;
  /** Milliseconds for the whole body; without it only silence is limited. */
  readonly bodyTime?: number;
}

interface Common<Principal, Scope extends string> {
  /** Below the API's address, without a leading slash. Two operations may share it, each with methods of its own. */
  readonly path: string;
  readonly methods: readonly Method[];
  readonly scopes: readonly Scope[];
  readonly summary: string;
  readonly description?: string;
  /** The statuses of a success; 200 alone when absent. */
  readonly statuses?: readonly number[];
  /** The same of single methods, where they differ. */
  readonly statusesOf?: Readonly<Partial<Record<Method, readonly number[]>>>;
  /** Whether a PUT may have one more path segment, which is ignored: `curl -T` appends the file name. */
  readonly takesName?: boolean;
  /** The request headers that it honours beside those of every request. */
  readonly honours?: readonly string[];
  /** Whether an account that must change its password may call it: the operation that changes it. */
  readonly changesPassword?: boolean;
  readonly principal?: Principal;
}

/** An operation that answers with the envelope of §4. */
interface JsonOperation<
  Principal,
  Scope extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  Plan extends ContentPlan,
> extends Common<Principal, Scope> {
  readonly reply: 'json';
  readonly params: Params;
  readonly data: Data;
  /** Repeats the fields of `data` beside `success`. */
  readonly dataAtTop?: boolean;
  /** For operations that take content. */
  readonly upload?: UploadHooks<Principal, z.output<Params>, Plan>;
  readonly run: (
    call: Call<Principal, z.output<Params>, Plan | null>,
  ) => Promise<z.input<Data> | WithStatus<z.input<Data>> | StreamedList | SerializedBody>;
}

/** An operation that sends content itself; failures before its first byte become JSON. */
interface ContentOperation<Principal, Scope extends string, Params extends z.ZodObject>
  extends Common<Principal, Scope> {
  readonly reply: 'content';
  readonly params: Params;
  readonly run: (call: Call<Principal, z.output<Params>, null>) => Promise<void>;
}

/** The headers of RFC 9110 that a download honours. */
export const DOWNLOAD_HEADERS = [
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'If-Unmodified-Since',
  'Range',
] as const;

// A list of operations mixes parameters and replies of every shape; each was checked where it was declared.
export type Operation<Principal, Scope extends string> =
  | JsonOperation<Principal, Scope, z.ZodObject, z.ZodType, never>
  | ContentOperation<Principal, Scope, z.ZodObject>;

/** A reply with another status than 200. */
export class WithStatus<Data> {
  readonly status: number;
  readonly data: Data;

  constructor(status: number, data: Data) {
    this.status = status;
    this.data = data;
  }
}

/** Declares operations for one kind of caller; routing, checks and description follow from the declaration. */
export function operationsFor<Principal, Scope extends string>() {
  return {
    json<Params extends z.ZodObject, Data extends z.ZodType, Plan extends ContentPlan = never>(
      declared: Omit<JsonOperation<Principal, Scope, Params, Data, Plan>, 'reply'>,
    ): Operation<Principal, Scope> {
      return { ...declared, reply: 'json' } as unknown as Operation<Principal, Scope>;
    },
    content<Params extends z.ZodObject>(
      declared: Omit<ContentOperation<Principal, Scope, Params>, 'reply'>,
    ): Operation<Principal, Scope> {
      return { ...declared, reply: 'content' } as unknown as Operation<Principal, Scope>;
    },
  };
}
