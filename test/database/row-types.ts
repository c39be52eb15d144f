import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { below, isNode, type Node, nameOf, parsed, ROOT } from '../architecture/syntax.ts';

/** A statement in the source, and the type of its rows. */
export interface TypedStatement {
  /** File and line. */
  readonly at: string;
  /** Every form that it may have; null when it is made of parts that only a run knows. */
  readonly sql: readonly string[] | null;
  /** What the type says of each column; null when the type depends on a type parameter. */
  readonly row: ReadonlyMap<string, ReadonlySet<ValueType>> | null;
}

/** `unknown`: a type derived from values; `other`: what SQLite never returns, such as booleans and dates. */
export type ValueType = 'number' | 'string' | 'buffer' | 'null' | 'unknown' | 'other';

const METHODS = ['all', 'get', 'allAside', 'writeOne'];
/** More forms of one statement are not looked at. */
const MAX_FORMS = 64;

interface File {
  readonly path: string;
  readonly program: Node;
  readonly text: string;
  /** All calls, by the name of what is called. */
  readonly calls: ReadonlyMap<string, readonly (readonly [call: Node, above: readonly Node[]])[]>;
  /** Constants and functions, by their names. */
  readonly constants: ReadonlyMap<string, readonly Node[]>;
  /** Interfaces and type aliases. */
  readonly types: ReadonlyMap<string, Node>;
}

type Bindings = ReadonlyMap<string, readonly string[]>;

const files = new Map<string, File>();

function fileAt(path: string): File {
  const known = files.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(join(ROOT, path), 'utf8');
  const program = parsed(path, text);
  const calls = new Map<string, (readonly [Node, readonly Node[]])[]>();
  const constants = new Map<string, Node[]>();
  const types = new Map<string, Node>();
  const add = <One>(map: Map<string, One[]>, name: string, one: One) => map.set(name, [...(map.get(name) ?? []), one]);
  for (const [node, above] of below(program)) {
    if (node.type === 'CallExpression') add(calls, nameOf(node.callee), [node, above] as const);
    if (node.type === 'FunctionDeclaration') add(constants, nameOf(node.id), node);
    if (node.type === 'VariableDeclarator' && above.at(-1)?.kind === 'const' && isNode(node.init))
      add(constants, nameOf(node.id), node.init);
  }
  for (const [node] of everything(program)) {
    if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration')
      types.set(nameOf(node.id), node);
  }
  const file = { path, text, program, calls, constants, types };
  files.set(path, file);
  return file;
}

/** Nodes of every kind, types included. */
function* everything(node: Node, above: readonly Node[] = []): Generator<readonly [Node, readonly Node[]]> {
  yield [node, above];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* everything(child, [...above, node]);
    }
  }
}

const list = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const child = (node: Node, field: string): Node | null => (isNode(node[field]) ? (node[field] as Node) : null);

/** Migrations run on earlier schemas. */
function filesIn(folder: string): File[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !/\/(?:migrations|messages)\//.test(path))
    .map(fileAt);
}

/** All statements with a type for their rows. */
export function typedStatements(folder: string): TypedStatement[] {
  return filesIn(folder).flatMap((file) => {
    const { path } = file;
    return callsOf(METHODS, file).flatMap(([node, above]) => {
      const types = child(node, 'typeArguments');
      const [type] = types === null ? [] : list(types.params);
      const [first] = list(node.arguments);
      if (type === undefined || first === undefined) return [];
      const statement = nameOf(node.callee) === 'writeOne' ? sqlProperty(first) : first;
      const row = fieldsOf(type, file);
      return [
        {
          at: `${path}:${lineOf(node, file)}`,
          sql: statement === null ? null : textsOf(statement, file, above, new Map()),
          row: row && new Map([...row].map(([name, [typed, from]]) => [name, valuesOf(typed, from)])),
        },
      ];
    });
  });
}

/** A statement with or without rows. */
export interface Statement {
  readonly at: string;
  readonly sql: readonly string[];
  /** How many parameters the call gives; null when only a run knows. */
  readonly given: number | null;
}

/** All statements whose text is known, those that return nothing included. */
export function statementsIn(folder: string): Statement[] {
  return filesIn(folder).flatMap((file) => {
    const { path } = file;
    return callsOf(['run', 'all', 'get', 'allAside'], file).flatMap(([node, above]) => {
      const [first, second] = list(node.arguments);
      const sql = first === undefined ? null : textsOf(first, file, above, new Map());
      if (!sql?.every((one) => /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE|REPLACE)\s/.test(one))) return [];
      const elements = second?.type === 'ArrayExpression' ? list(second.elements) : second === undefined ? [] : null;
      const given = elements?.some(({ type }) => type === 'SpreadElement') ? null : (elements?.length ?? null);
      return [{ at: `${path}:${lineOf(node, file)}`, sql, given }];
    });
  });
}

const callsOf = (names: readonly string[], { calls }: File) => names.flatMap((name) => calls.get(name) ?? []);

const lineOf = (node: Node, file: File) => file.text.slice(0, Number(node.start)).split('\n').length;

/** Of `() => ({ sql, params })`. */
function sqlProperty(made: Node): Node | null {
  for (const [node] of below(made)) {
    if (node.type === 'Property' && nameOf(node.key) === 'sql') return child(node, 'value');
  }
  return null;
}

function product(parts: readonly (readonly string[] | null)[]): string[] | null {
  let forms = [''];
  for (const part of parts) {
    if (part === null) return null;
    forms = forms.flatMap((form) => part.map((text) => form + text));
    if (forms.length > MAX_FORMS) return null;
  }
  return forms;
}

function union(parts: readonly (readonly string[] | null)[]): string[] | null {
  return parts.length === 0 || parts.includes(null) ? null : [...new Set(parts.flatMap((part) => part ?? []))];
}

/** The texts that an expression may have, or null. */
function textsOf(node: Node, file: File, above: readonly Node[], bindings: Bindings, depth = 0): string[] | null {
  if (depth > 12) return null;
  const of = (one: Node | null) => (one === null ? null : textsOf(one, file, above, bindings, depth + 1));
  switch (node.type) {
    case 'Literal':
      return ['string', 'number'].includes(typeof node.value) ? [String(node.value)] : null;
    case 'TemplateLiteral': {
      const quasis = node.quasis as { value: { cooked: string } }[];
      const expressions = list(node.expressions);
      return product(
        quasis.flatMap(({ value }, at) => [[value.cooked], ...(expressions[at] ? [of(expressions[at])] : [])]),
      );
    }
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return of(child(node, 'expression'));
    case 'BinaryExpression':
      return node.operator === '+' ? product([of(child(node, 'left')), of(child(node, 'right'))]) : null;
    case 'LogicalExpression':
      return union([of(child(node, 'left')), of(child(node, 'right'))]);
    case 'ConditionalExpression':
      return union([of(child(node, 'consequent')), of(child(node, 'alternate'))]);
    case 'MemberExpression':
      return memberTexts(node, file, above, bindings, depth);
    case 'CallExpression':
      return calledTexts(node, file, above, bindings, depth);
    case 'Identifier':
      return namedTexts(String(node.name), file, above, bindings, depth);
    default:
      return null;
  }
}

/** A property of a constant object, or any of them where its name is computed. */
function memberTexts(node: Node, file: File, above: readonly Node[], bindings: Bindings, depth: number) {
  const object = child(node, 'object');
  if (object?.type !== 'Identifier') return null;
  const found = constant(String(object.name), file);
  if (found === null) return null;
  let value = found.value;
  while (value.type.startsWith('TS') && isNode(value.expression)) value = value.expression;
  if (value.type !== 'ObjectExpression') return null;
  const properties = list(value.properties).filter(
    (one) => node.computed === true || nameOf(one.key) === nameOf(node.property),
  );
  return union(
    properties.map((one) => {
      const at = child(one, 'value');
      return at && textsOf(at, found.file, above, bindings, depth + 1);
    }),
  );
}

/** What a function of the source returns for these arguments. */
function calledTexts(node: Node, file: File, above: readonly Node[], bindings: Bindings, depth: number) {
  const found = constant(nameOf(node.callee), file);
  if (found === null) return null;
  const made = found.value;
  const body = child(made, 'body');
  if (body === null) return null;
  const parameters = list(made.params).map((one) => (one.type === 'Identifier' ? String(one.name) : null));
  const given = list(node.arguments).map((one) => textsOf(one, file, above, bindings, depth + 1));
  const inner = new Map(
    parameters.flatMap((name, at) => (name === null || !given[at] ? [] : [[name, given[at]] as const])),
  );
  const returned =
    body.type === 'BlockStatement'
      ? [...below(body)].flatMap(([one]) => (one.type === 'ReturnStatement' ? [child(one, 'argument')] : []))
      : [body];
  return union(returned.map((one) => one && textsOf(one, found.file, [made], inner, depth + 1)));
}

/** A constant, a parameter that the callers in this file give, or what is bound. */
function namedTexts(name: string, file: File, above: readonly Node[], bindings: Bindings, depth: number) {
  const bound = bindings.get(name);
  if (bound !== undefined) return [...bound];
  for (const around of [...above].reverse()) {
    const at = list(around.params).findIndex((one) => one.type === 'Identifier' && one.name === name);
    if (at >= 0) return givenTexts(around, at, file, depth);
    if (list(around.params).some((one) => [...everything(one)].some(([part]) => part.name === name))) return null;
  }
  const found = constant(name, file);
  return found === null ? null : textsOf(found.value, found.file, above, bindings, depth + 1);
}

/** What the calls in this file give for a parameter. */
function givenTexts(called: Node, at: number, file: File, depth: number): string[] | null {
  const name = functionName(called, file);
  if (name === null) return null;
  const calls = [...below(file.program)].filter(
    ([one]) => one.type === 'CallExpression' && nameOf(one.callee) === name,
  );
  return union(
    calls.map(([call, above]) => {
      const given = list(call.arguments)[at];
      return given === undefined ? null : textsOf(given, file, above, new Map(), depth + 1);
    }),
  );
}

function functionName(called: Node, file: File): string | null {
  if (isNode(called.id)) return nameOf(called.id);
  for (const [node] of below(file.program)) {
    if (node.type === 'VariableDeclarator' && node.init === called) return nameOf(node.id);
    if (node.type === 'Property' && node.value === called) return nameOf(node.key);
  }
  return null;
}

/** The only constant or function with this name in a file, or where it is imported from. */
function constant(name: string, file: File): { value: Node; file: File } | null {
  const found = file.constants.get(name) ?? [];
  if (found.length > 1) return null;
  if (found[0] !== undefined) return { value: found[0], file };
  const from = importOf(name, file);
  return from && constant(from.name, from.file);
}

function importOf(name: string, file: File): { name: string; file: File } | null {
  for (const statement of list(file.program.body)) {
    if (!['ImportDeclaration', 'ExportNamedDeclaration'].includes(statement.type)) continue;
    const source = child(statement, 'source')?.value;
    for (const one of list(statement.specifiers)) {
      if (nameOf(one.local) !== name || typeof source !== 'string' || !source.startsWith('.')) continue;
      const path = join(dirname(file.path), source);
      if (existsSync(join(ROOT, path))) return { name: nameOf(one.imported), file: fileAt(path) };
    }
  }
  return null;
}

type Fields = Map<string, readonly [type: Node, file: File]>;

/** The properties of a type, or null. */
function fieldsOf(type: Node, file: File): Fields | null {
  switch (type.type) {
    case 'TSTypeLiteral':
    case 'TSInterfaceBody':
      return new Map(
        list(type.members ?? type.body).flatMap((member) => {
          const typed = isNode(member.typeAnnotation) ? child(member.typeAnnotation, 'typeAnnotation') : null;
          return typed === null ? [] : [[nameOf(member.key), [typed, file] as const]];
        }),
      );
    case 'TSParenthesizedType':
      return isNode(type.typeAnnotation) ? fieldsOf(type.typeAnnotation, file) : null;
    case 'TSIntersectionType': {
      const parts = list(type.types).map((one) => fieldsOf(one, file));
      return parts.includes(null) ? null : new Map(parts.flatMap((part) => [...(part ?? [])]));
    }
    case 'TSTypeReference':
      return referredFields(type, file);
    default:
      return null;
  }
}

function referredFields(type: Node, file: File): Fields | null {
  const name = nameOf(type.typeName);
  const given = isNode(type.typeArguments) ? list(type.typeArguments.params) : [];
  if ((name === 'Pick' || name === 'Omit') && given[0] !== undefined && given[1] !== undefined) {
    const fields = fieldsOf(given[0], file);
    const names = [...everything(given[1])].flatMap(([one]) => (one.type === 'Literal' ? [String(one.value)] : []));
    return fields && new Map([...fields].filter(([field]) => names.includes(field) === (name === 'Pick')));
  }
  // Such a row may have further columns.
  if (name === 'Record') return new Map();
  if ((name === 'Readonly' || name === 'NonNullable') && given[0] !== undefined) return fieldsOf(given[0], file);
  const found = declaration(name, file);
  if (found === null || given.length > 0) return null;
  if (found.node.type === 'TSTypeAliasDeclaration') {
    return isNode(found.node.typeAnnotation) ? fieldsOf(found.node.typeAnnotation, found.file) : null;
  }
  const own = isNode(found.node.body) ? fieldsOf(found.node.body, found.file) : null;
  const bases = list(found.node.extends).map((one) =>
    referredFields({ type: 'TSTypeReference', typeName: one.expression, typeArguments: one.typeArguments }, found.file),
  );
  if (own === null || bases.includes(null)) return null;
  return new Map([...bases.flatMap((base) => [...(base ?? [])]), ...own]);
}

/** Where an interface or a type alias is declared. */
function declaration(name: string, file: File): { node: Node; file: File } | null {
  const node = file.types.get(name);
  if (node !== undefined) return { node, file };
  const from = importOf(name, file);
  return from && declaration(from.name, from.file);
}

const KEYWORDS: Readonly<Record<string, ValueType>> = {
  TSNumberKeyword: 'number',
  TSStringKeyword: 'string',
  TSNullKeyword: 'null',
};

/** What a property may be. */
function valuesOf(type: Node, file: File): Set<ValueType> {
  const keyword = KEYWORDS[type.type];
  if (keyword !== undefined) return new Set([keyword]);
  if (type.type === 'TSUnionType') return new Set(list(type.types).flatMap((one) => [...valuesOf(one, file)]));
  if (type.type === 'TSLiteralType' && isNode(type.literal)) {
    const { value } = type.literal;
    return new Set([typeof value === 'number' ? 'number' : typeof value === 'string' ? 'string' : 'other']);
  }
  if (type.type === 'TSTypeReference') {
    const name = nameOf(type.typeName);
    if (name === 'Buffer' || name === 'Uint8Array') return new Set(['buffer']);
    if (['Date', 'Array', 'ReadonlyArray', 'Map', 'Set', 'Record'].includes(name)) return new Set(['other']);
    const found = declaration(name, file);
    if (found?.node.type === 'TSTypeAliasDeclaration' && isNode(found.node.typeAnnotation)) {
      return valuesOf(found.node.typeAnnotation, found.file);
    }
  }
  return new Set([
    ['TSIndexedAccessType', 'TSTypeReference', 'TSTypeOperator'].includes(type.type) ? 'unknown' : 'other',
  ]);
}
