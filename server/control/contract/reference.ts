import { z } from 'zod';

/** The description of the API, and calls of its operations, for the page that documents them. */

const answer = z.object({
  status: z.int(),
  /** From sending the request to the end of the reply. */
  milliseconds: z.number(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Without parameters, in lower case; empty if the reply has none. */
  mediaType: z.string(),
  /** Its first bytes: as text if it is text, otherwise in base64. */
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('bytes'), base64: z.string() }),
  ]),
  /** The number of bytes included here. */
  shownBytes: z.int(),
  /** The total; null if it was too long to count. */
  bytes: z.int().nullable(),
});

export const referenceMethods = {
  'api.description': {
    summary: 'Get the OpenAPI description of the API',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ document: z.record(z.string(), z.unknown()) }),
  },
  'api.try': {
    summary: 'Run an API operation as an account; the result may be an error reply',
    may: ['owner'],
    input: z.strictObject({
      /** Identifies the call for "api.cancel". */
      id: z.string().min(1).max(64),
      accountId: z.int(),
      /** Below the base address of the API, such as files/browse. */
      operation: z.string().max(100),
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT']),
      /** As sent: lists and keys with brackets in their names. */
      parameters: z
        .array(z.strictObject({ name: z.string().max(200), value: z.string().max(100_000) }))
        .max(1_000)
        .default([]),
      file: z.strictObject({ name: z.string().max(255), base64: z.base64() }).optional(),
    }),
    output: answer,
  },
  'api.cancel': {
    summary: 'Cancel a running API call; changes already made remain',
    may: ['owner'],
    input: z.strictObject({ id: z.string().min(1).max(64) }),
    output: z.object({ wasUnderWay: z.boolean() }),
  },
} as const;
