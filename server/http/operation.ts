import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { StreamedList } from './response/streamed-list.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT';

/** What an operation gets to work with. */
export interface Call<Principal, Params, File> {
  readonly principal: Principal;
  readonly params: Params;
  /** What `takeFile` made of the body; null when the request carried no file. */
  readonly file: File;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Where the content of an upload comes from, before the parameters behind it are known. */
export interface Incoming<Principal> {
  readonly principal: Principal;
  readonly content: Readable;
  /** Whether it is the body of a PUT, rather than a part of a form. */
  readonly isWholeBody: boolean;
  /** Bytes that the client announced, or null. */
  readonly announced: number | null;
  /** The parameters of the query string, unchecked: all that is known before the body ends. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
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
  /** Whether a PUT may have one more segment behind the path, which says nothing: `curl -T` adds the name of the file. */
  readonly takesName?: boolean;
  /** The request headers that it honours beside those of every request. */
  readonly honours?: readonly string[];
  /** Whether an account that has to change its password may call it: the operation that changes it. */
  readonly changesPassword?: boolean;
  readonly principal?: Principal;
}

/** An operation that answers with the envelope of §4. */
export interface JsonOperation<
  Principal,
  Scope extends string,
  Params extends z.ZodObject,
  Data extends z.ZodType,
  File,
> extends Common<Principal, Scope> {
  readonly reply: 'json';
  readonly params: Params;
  readonly data: Data;
  /** The fields of `data` stand beside `success` as well. */
  readonly dataAtTop?: boolean;
  /** Refuses an upload by what is known before its content: a client that asks first never sends it. */
  readonly beforeFile?: (known: Omit<Incoming<Principal>, 'content'>) => Promise<void>;
  /** Whether a PUT with these parameters carries content at all; it does unless this says no. */
  readonly expectsFile?: (params: z.output<Params>) => boolean;
  /** Milliseconds for the whole body of an upload; without it there is only a limit on silence. */
  readonly bodyTime?: number;
  /** For uploads: takes the raw body of a PUT, or the part named `file` of a multipart POST. */
  readonly takeFile?: (incoming: Incoming<Principal>) => Promise<File>;
  /** Undoes `takeFile` when the call fails. */
  readonly dropFile?: (file: File) => Promise<void>;
  readonly run: (
    call: Call<Principal, z.output<Params>, File | null>,
  ) => Promise<z.input<Data> | WithStatus<z.input<Data>> | StreamedList>;
}

/** An operation that sends content itself; failures before its first byte become JSON. */
export interface ContentOperation<Principal, Scope extends string, Params extends z.ZodObject>
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

/** Declares operations for one kind of principal: everything else follows from the declaration. */
export function operationsFor<Principal, Scope extends string>() {
  return {
    json<Params extends z.ZodObject, Data extends z.ZodType, File = never>(
      declared: Omit<JsonOperation<Principal, Scope, Params, Data, File>, 'reply'>,
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
