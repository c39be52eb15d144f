import type { ApiClient } from '../../support/requests/api-client.ts';

/** A parameter as the OpenAPI description has it. */
export interface Parameter {
  readonly name: string;
  /** `path` counts as required, although `uuid` can be sent instead: most requests would be refused without it. */
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly type: string;
  readonly choices: readonly string[];
}

/** One way to call one operation. */
export interface Call {
  /** Below `/api.php`, with a slash in front. */
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly Parameter[];
  readonly takesFile: boolean;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Every call that the running server describes (OpenAPI 3.1). */
export async function describedCalls(api: ApiClient): Promise<Call[]> {
  const { body } = await api.send('GET', '/api.php/openapi.json');
  const paths = body.paths as Record<string, Record<string, Described>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => callOf(path, method.toUpperCase(), described)),
  );
}

function callOf(path: string, method: string, { parameters = [], requestBody }: Described): Call {
  const content = Object.entries(requestBody?.content ?? {});
  const [, body] = content.find(([, { schema }]) => schema.properties !== undefined) ?? [];
  const required = new Set(body?.schema.required ?? []);
  const ofBody = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) =>
    parameterOf(name, required.has(name), schema),
  );
  const ofQuery = parameters.map(({ name, required: isRequired = false, schema }) =>
    parameterOf(name.replace(/\[\]$/, ''), isRequired, schema),
  );
  const takesFile = ofBody.some(({ name }) => name === 'file') || content.some(([type]) => type === '*/*');
  const all = [...ofQuery, ...ofBody.filter(({ name }) => name !== 'file')];
  const has = (wanted: string) => all.some(({ name }) => name === wanted);
  // An upload can name its file by `filePath`, too.
  const isNamed = has('uuid') && !has('filePath');
  const named = all.map((one) => (isNamed && one.name === 'path' ? { ...one, isRequired: true } : one));
  return { path, method, takesFile, parameters: named };
}

function parameterOf(name: string, isRequired: boolean, schema: Schema): Parameter {
  const inner = schema.items ?? schema;
  const all = [inner, ...(inner.anyOf ?? [])];
  return {
    name,
    isRequired,
    isList: schema.type === 'array',
    type: all.find(({ type }) => type !== undefined)?.type ?? 'string',
    choices: all.flatMap((one) => [...(one.enum ?? []), ...(one.const === undefined ? [] : [one.const])]).map(String),
  };
}
