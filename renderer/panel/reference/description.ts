/** The OpenAPI description of the API, in the form needed by the reference. */

import { LOCALE, t } from '../../messages/messages.ts';

const ALTERNATIVES = new Intl.ListFormat(LOCALE, { type: 'disjunction' });

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT';

/** The kind of input field for a value. */
type Kind = 'text' | 'number' | 'flag' | 'choice' | 'choices' | 'list' | 'keyed' | 'file';

export interface Parameter {
  /** As it is sent, such as `details[]` or `data[name]`. */
  readonly name: string;
  readonly kind: Kind;
  readonly type: string;
  readonly isRequired: boolean;
  /** Whether it is always shown, although another parameter can be sent instead: `path`, beside `uuid`. */
  readonly isUsual: boolean;
  readonly about: string;
  /** All allowed values. */
  readonly values: readonly string[];
  readonly range: readonly [number, number] | null;
  /** The default; empty if there is none. */
  readonly standard: string;
}

export interface Field {
  readonly name: string;
  readonly type: string;
}

export interface Answer {
  readonly status: string;
  /** Null for content that is not JSON. */
  readonly fields: readonly Field[] | null;
}

/** A method of calling an operation. */
export interface CallForm {
  readonly method: Method;
  readonly parameters: readonly Parameter[];
  /** How parameters are sent. */
  readonly sends: 'query' | 'form' | 'multipart';
}

export interface Operation {
  /** Unique among all operations; part of the page's address. */
  readonly key: string;
  /** Below the base address of the API. */
  readonly path: string;
  readonly area: string;
  readonly summary: string;
  readonly about: string;
  readonly scopes: readonly string[];
  readonly callForms: readonly CallForm[];
  readonly answers: readonly Answer[];
  /** Error codes mentioned in its description. */
  readonly codes: readonly string[];
}

export interface Description {
  readonly operations: readonly Operation[];
  /** All error codes, with their status. */
  readonly codes: Readonly<Record<string, number>>;
  /** The base path of the API on the server. */
  readonly apiPath: string;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

interface Content {
  readonly schema: Schema;
}

interface DescribedMethod {
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly { readonly oauth2: readonly string[] }[];
  readonly parameters?: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedMethod>>>>;
  readonly components: {
    readonly schemas: {
      readonly Failure: { readonly properties: { readonly code: { readonly 'x-statuses': Record<string, number> } } };
    };
  };
}

export function readDescription(written: unknown): Description {
  const document = written as Document;
  const codes = document.components.schemas.Failure.properties.code['x-statuses'];
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    operationsOf(path.slice(1), item, Object.keys(codes)),
  );
  return { operations, codes, apiPath: document.servers[0]?.url ?? '' };
}

/** The operations of one path: several if methods differ in function. */
function operationsOf(
  path: string,
  item: Readonly<Record<string, DescribedMethod>>,
  known: readonly string[],
): Operation[] {
  const bySummary = new Map<string, [string, DescribedMethod][]>();
  for (const entry of Object.entries(item)) {
    const { summary } = entry[1];
    bySummary.set(summary, [...(bySummary.get(summary) ?? []), entry]);
  }
  return [...bySummary.values()].map((methods, at) => {
    const [[firstName, first] = ['', undefined]] = methods;
    const about = first?.description ?? '';
    const quoted = new Set([...about.matchAll(/`(\w+)`/g)].map(([, word]) => word));
    return {
      key: at === 0 ? path : `${path} ${firstName.toUpperCase()}`,
      path,
      area: path.slice(0, path.indexOf('/')),
      summary: first?.summary ?? '',
      about,
      scopes: first?.security[0]?.oauth2 ?? [],
      callForms: methods.map(([name, method]) => callFormOf(name.toUpperCase() as Method, method)),
      answers: Object.entries(first?.responses ?? {}).flatMap(([status, { content }]) =>
        /^\d+$/.test(status) ? [answerOf(status, content)] : [],
      ),
      codes: known.filter((code) => quoted.has(code)),
    };
  });
}

function callFormOf(method: Method, { parameters, requestBody }: DescribedMethod): CallForm {
  const content = requestBody?.content ?? {};
  const query = (parameters ?? []).flatMap(({ name, required, schema }) =>
    parametersOf(name.replace('[]', ''), schema, required),
  );
  const form = (content['multipart/form-data'] ?? content['application/x-www-form-urlencoded'])?.schema;
  const inBody = Object.entries(form?.properties ?? {}).flatMap(([name, schema]) =>
    parametersOf(name, schema, form?.required?.includes(name) ?? false),
  );
  const isWhole = method === 'PUT' && content['*/*'] !== undefined;
  const file = isWhole ? [{ ...asFile, name: 'file' }] : [];
  const sends = 'multipart/form-data' in content ? 'multipart' : form === undefined ? 'query' : 'form';
  return { method, parameters: withUsual([...query, ...inBody, ...file]), sends };
}

/** Most people name an item by its path. */
function withUsual(parameters: readonly Parameter[]): Parameter[] {
  const isNamed = parameters.some(({ name }) => name === 'uuid');
  return parameters.map((one) => (isNamed && one.name === 'path' ? { ...one, isUsual: true } : one));
}

const asFile: Omit<Parameter, 'name'> = {
  ...{
    kind: 'file',
    type: 'file',
    isRequired: false,
    isUsual: false,
    about: '',
    values: [],
    range: null,
    standard: '',
  },
};

/** One for each value sent: an object's properties in brackets. */
function parametersOf(name: string, schema: Schema, isRequired: boolean): Parameter[] {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([key, one]) => parametersOf(`${name}[${key}]`, one, false));
  }
  if (schema.format === 'binary') return [{ ...asFile, name }];
  const { description = '', minimum, maximum, items } = schema;
  const values = (items?.enum ?? schema.enum ?? []).map(String);
  const kind = kindOf(schema, values.length > 0);
  const isList = kind === 'list' || kind === 'choices';
  const range = minimum === undefined || maximum === undefined ? null : ([minimum, maximum] as const);
  const standard = typeof schema.default === 'object' ? '' : String(schema.default ?? '');
  return [
    {
      name: isList ? `${name}[]` : name,
      kind,
      type: typeOf(schema),
      isRequired,
      isUsual: false,
      about: description,
      values,
      range,
      standard,
    },
  ];
}

function kindOf({ type }: Schema, hasValues: boolean): Kind {
  if (type === 'array') return hasValues ? 'choices' : 'list';
  if (type === 'object') return 'keyed';
  if (hasValues) return 'choice';
  if (type === 'boolean') return 'flag';
  return type === 'integer' || type === 'number' ? 'number' : 'text';
}

function answerOf(status: string, content: Readonly<Record<string, Content>> | undefined): Answer {
  const data = content?.['application/json']?.schema.properties?.data;
  return { status, fields: data === undefined ? null : fieldsOf('data', data) };
}

/** The nested fields, with their paths. */
function fieldsOf(name: string, schema: Schema): Field[] {
  const { properties, items, anyOf, additionalProperties } = schema;
  const own = { name, type: typeOf(schema) };
  if (properties !== undefined) {
    return [own, ...Object.entries(properties).flatMap(([key, one]) => fieldsOf(`${name}.${key}`, one))];
  }
  if (items?.properties !== undefined) return [own, ...fieldsOf(`${name}[]`, items).slice(1)];
  const objects = anyOf?.filter((one) => one.properties !== undefined) ?? [];
  if (objects.length > 0) return [own, ...objects.flatMap((one) => fieldsOf(name, one).slice(1))];
  if (typeof additionalProperties === 'object' && additionalProperties.properties !== undefined) {
    return [own, ...fieldsOf(`${name}.*`, additionalProperties).slice(1)];
  }
  return [own];
}

function typeOf({ type, items, anyOf, enum: values, const: only }: Schema): string {
  if (type === 'array') return items === undefined ? 'array' : t('reference.types.arrayOf', { type: typeOf(items) });
  if (only !== undefined) return JSON.stringify(only);
  if (anyOf !== undefined) return ALTERNATIVES.format(new Set(anyOf.map(typeOf)));
  if (typeof type === 'string') return type;
  if (type !== undefined) return ALTERNATIVES.format(type);
  return values === undefined ? 'any' : 'string';
}
