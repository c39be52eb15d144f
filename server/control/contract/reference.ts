import { z } from 'zod';

/** The description of the API, and trying its operations: what a page that explains them needs. */

const answer = z.object({
  status: z.int(),
  /** From sending the request until the answer was there. */
  milliseconds: z.number(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Without parameters, in lower case; empty when the answer says none. */
  mediaType: z.string(),
  /** Its first bytes: as text where it is text, else in base64. */
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('bytes'), base64: z.string() }),
  ]),
  /** How many bytes of it are here. */
  shownBytes: z.int(),
  /** How many there are; null when it is so long that nobody counted. */
  bytes: z.int().nullable(),
});

export const referenceMethods = {
  'api.description': {
    summary: 'The OpenAPI description of the API, as apps get it',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ document: z.record(z.string(), z.unknown()) }),
  },
  'api.try': {
    summary: 'Carry out an operation of the API as an account would; the answer may be a refusal',
    may: ['owner'],
    input: z.strictObject({
      /** Names the attempt for "api.cancel". */
      id: z.string().min(1).max(64),
      accountId: z.int(),
      /** Below the address of the API, such as files/browse. */
      operation: z.string().max(100),
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT']),
      /** As they are sent: lists and keys with brackets in their names. */
      parameters: z
        .array(z.strictObject({ name: z.string().max(200), value: z.string().max(100_000) }))
        .max(1_000)
        .default([]),
      file: z.strictObject({ name: z.string().max(255), base64: z.base64() }).optional(),
    }),
    output: answer,
  },
  'api.cancel': {
    summary: 'Break off an attempt that is under way; what it has done by then stays done',
    may: ['owner'],
    input: z.strictObject({ id: z.string().min(1).max(64) }),
    output: z.object({ wasUnderWay: z.boolean() }),
  },
} as const;
