/** Whether columns of a table may be null, by name. */
export type NullableColumns = ReadonlyMap<string, boolean>;

interface Joined {
  readonly columns: NullableColumns;
  /** Whether there may be no row, so that every column may be null. */
  readonly isOptional: boolean;
}

const WORD = String.raw`[A-Za-z_]\w*`;
/** What may follow the name of a table, and is not its alias. */
const NO_ALIAS = /^(?:ON|USING|CROSS|LEFT|INNER|JOIN|WHERE|GROUP|ORDER|LIMIT|INDEXED|NOT|SET)$/i;

/** The text with everything in parentheses and quotes replaced by blanks of the same length. */
function outside(sql: string): string {
  let depth = 0;
  return sql.replace(/'(?:[^']|'')*'|[\s\S]/g, (part) => {
    if (part === ')') depth -= 1;
    const isInside = depth > 0 || part.length > 1;
    if (part === '(') depth += 1;
    return isInside ? ' '.repeat(part.length) : part;
  });
}

function splitAtCommas(text: string): string[] {
  const flat = outside(text);
  const ends = [...flat.matchAll(/,/g)].map(({ index }) => index);
  return [...ends, text.length].map((end, at) => text.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end).trim());
}

/**
 * The columns of a query that come straight from a column of a table and may be null there, as far as the query shows.
 * @param columnsOf of a table; null for everything else, such as `json_each` and common table expressions
 * @returns their names in the result
 */
export async function nullableColumns(
  sql: string,
  columnsOf: (table: string) => Promise<NullableColumns | null>,
): Promise<Set<string>> {
  const found = new Set<string>();
  const flat = outside(sql);
  if (/\b(?:UNION|RETURNING|EXCEPT|INTERSECT)\b/i.test(flat)) return found;
  const begin = /\bSELECT(?:\s+DISTINCT)?\b/i.exec(flat);
  const from = /\bFROM\b/i.exec(flat);
  if (begin === null || from === null || from.index < begin.index) return found;
  const listed = sql.slice(begin.index + begin[0].length, from.index);
  const rest = sql.slice(from.index);
  const joined = new Map<string, Joined>();
  const tables = new RegExp(String.raw`(LEFT\s+)?(?:\bFROM|\bJOIN|,)\s+(${WORD})(?:\s+AS)?(?:\s+(${WORD}))?`, 'gi');
  const end = /\b(?:WHERE|GROUP|ORDER|LIMIT)\b/i.exec(flat.slice(from.index))?.index ?? rest.length;
  for (const [, left, table = '', alias] of outside(rest).slice(0, end).matchAll(tables)) {
    const columns = (await columnsOf(table)) ?? new Map();
    const name = alias === undefined || NO_ALIAS.test(alias) ? table : alias;
    joined.set(name, { columns, isOptional: left !== undefined });
  }
  for (const one of splitAtCommas(listed)) {
    const [, table, column = '', as] =
      new RegExp(String.raw`^(?:(${WORD})\.)?(${WORD})(?:\s+AS\s+(${WORD}))?$`, 'i').exec(one) ?? [];
    const source = table === undefined ? onlyWith(joined, column) : joined.get(table);
    const mayBeNull = source?.columns.get(column);
    if (mayBeNull === undefined || !(mayBeNull || source?.isOptional)) continue;
    if (!isNarrowed(rest, table, column)) found.add(as ?? column);
  }
  return found;
}

function onlyWith(joined: ReadonlyMap<string, Joined>, column: string): Joined | undefined {
  const those = [...joined.values()].filter(({ columns }) => columns.has(column));
  return those.length === 1 ? those[0] : undefined;
}

/** Whether a condition is not met by null. */
function isNarrowed(rest: string, table: string | undefined, column: string): boolean {
  const name = table === undefined ? column : String.raw`(?:${table}\.)?${column}`;
  const condition = String.raw`\b${name}\s*(?:=|<|>|<=|>=|<>|IN\b|LIKE\b|BETWEEN\b|IS NOT NULL)|(?:=|<|>)\s*${name}\b`;
  return new RegExp(condition, 'i').test(rest);
}
