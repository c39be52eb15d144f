import { z } from 'zod';
import { ERROR_STATUS } from './errors.ts';
import type { Method, Operation } from './operation.ts';

type Json = Record<string, unknown>;

interface DocumentContext<Scope extends string> {
  readonly title: string;
  readonly version: string;
  readonly scopes: readonly Scope[];
  readonly apiPath: string;
  readonly authorizationPath: string;
  readonly tokenPath: string;
  readonly basePath: string;
}

/** OpenAPI 3.1 description of the declared operations, generated on first use and cached. */
export function openApiDocument<Principal, Scope extends string>(
  operations: readonly Operation<Principal, Scope>[],
  context: DocumentContext<Scope>,
): () => Json {
  let document: Json | null = null;
  return () => {
    document ??= written(operations, context);
    return document;
  };
}

function written<Principal, Scope extends string>(
  operations: readonly Operation<Principal, Scope>[],
  { title, version, scopes, apiPath, authorizationPath, tokenPath, basePath }: DocumentContext<Scope>,
): Json {
  const described = Object.fromEntries(scopes.map((scope) => [scope, `Operations that require "${scope}"`]));
  return {
    openapi: '3.1.0',
    info: { title, version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `${basePath}${apiPath}` }],
    security: [],
    paths: pathItems(operations),
    components: {
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${basePath}${authorizationPath}`,
              tokenUrl: `${basePath}${tokenPath}`,
              refreshUrl: `${basePath}${tokenPath}`,
              scopes: described,
            },
            password: {
              tokenUrl: `${basePath}${tokenPath}`,
              refreshUrl: `${basePath}${tokenPath}`,
              scopes: described,
            },
          },
        },
      },
      schemas: { Failure: failureSchema() },
      responses: {
        Failure: {
          description: 'The operation failed. The status and the code give the reason.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
        },
      },
    },
  };
}

const FAILURE = { $ref: '#/components/responses/Failure' };

function pathItems<Principal, Scope extends string>(operations: readonly Operation<Principal, Scope>[]): Json {
  const items: Record<string, Json> = {};
  for (const operation of operations) {
    const methods = operation.methods.map((method) => [method.toLowerCase(), methodItem(operation, method)]);
    const path = `/${operation.path}`;
    items[path] = { ...items[path], ...Object.fromEntries(methods) };
  }
  return items;
}

function methodItem<Principal, Scope extends string>(operation: Operation<Principal, Scope>, method: Method): Json {
  const schema = jsonSchema(operation.params, 'input');
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = new Set((schema.required ?? []) as string[]);
  const uploads = operation.reply === 'json' && operation.upload !== undefined;
  return {
    operationId: `${method.toLowerCase()}-${operation.path.replaceAll('/', '-')}`,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: [{ oauth2: [...operation.scopes] }],
    ...(method === 'POST'
      ? {
          requestBody: formBody(properties, required, uploads),
          ...(operation.honours === undefined ? {} : { parameters: operation.honours.map(headerParameter) }),
        }
      : {
          parameters: [
            ...Object.entries(properties).map(([name, property]) => queryParameter(name, property, required)),
            ...(operation.honours ?? []).map(headerParameter),
          ],
        }),
    ...(method === 'PUT' && uploads
      ? { requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } }
      : {}),
    // Errors of the caller, and errors of the server.
    responses: { ...successes(operation, method), '4XX': FAILURE, default: FAILURE },
  };
}

function queryParameter(name: string, schema: Json, required: ReadonlySet<string>): Json {
  return {
    name: schema.type === 'array' ? `${name}[]` : name,
    in: 'query',
    required: required.has(name),
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
  };
}

function headerParameter(name: string): Json {
  return { name, in: 'header', required: false, schema: { type: 'string' } };
}

function formBody(properties: Record<string, Json>, required: ReadonlySet<string>, uploads: boolean): Json {
  const schema: Json = { type: 'object', properties, ...(required.size > 0 ? { required: [...required] } : {}) };
  const withFile = { ...schema, properties: { ...properties, file: { type: 'string', format: 'binary' } } };
  return {
    required: required.size > 0,
    content: uploads
      ? { 'multipart/form-data': { schema: withFile } }
      : { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } },
  };
}

function successes<Principal, Scope extends string>(operation: Operation<Principal, Scope>, method: Method): Json {
  if (operation.reply === 'content') {
    const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };
    const statuses = statusesOf(operation, method);
    return Object.fromEntries(
      statuses.map((status) => [
        status,
        status === 304 ? { description: 'Not modified' } : { description: 'The content', content },
      ]),
    );
  }
  const data = jsonSchema(operation.data, 'output');
  const atTop = operation.dataAtTop ? ((data.properties ?? {}) as Json) : {};
  const schema: Json = {
    type: 'object',
    properties: { success: { const: true }, error: { const: false }, data, ...atTop },
    required: ['success', 'error', 'data', ...(operation.dataAtTop ? ((data.required ?? []) as string[]) : [])],
    additionalProperties: false,
  };
  return Object.fromEntries(
    statusesOf(operation, method).map((status) => [
      status,
      { description: 'Success', content: { 'application/json': { schema } } },
    ]),
  );
}

function statusesOf<Principal, Scope extends string>(operation: Operation<Principal, Scope>, method: Method) {
  return operation.statusesOf?.[method] ?? operation.statuses ?? [200];
}

function failureSchema(): Json {
  return {
    type: 'object',
    properties: {
      success: { const: false },
      error: { type: 'string', minLength: 1 },
      // Each with its status.
      code: { type: 'string', enum: Object.keys(ERROR_STATUS), 'x-statuses': ERROR_STATUS },
      details: { type: 'object' },
    },
    required: ['success', 'error', 'code'],
    additionalProperties: false,
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    // zod omits defaults of transformed inputs.
    override({ zodSchema, jsonSchema: shown }) {
      const { def } = zodSchema._zod;
      if (io === 'input' && def.type === 'default') shown.default = def.defaultValue;
    },
  });
  return rest;
}
