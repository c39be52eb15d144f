import type { FileAction } from '../access/rights.ts';
import type { Database } from '../database/database.ts';
import { type Definitions, MARKS, type Mark, ruleOf } from '../fields/definitions.ts';
import { invalidParameter } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { type Criterion, nameCriterion, typeCriterion } from '../search/criterion.ts';
import { commentCriterion, fieldCriterion } from '../search/meta-criterion.ts';
import type { NameQuery } from '../search/name-query.ts';

const MAX_KEYS = 20;
const MAX_KEYWORDS = 100;

/** Search terms beside contents. */
interface Looked {
  readonly query: NameQuery | null;
  readonly metatype: number | undefined;
  /** Keywords by the ids of fields, or `tag`, `rating`, `label`, `comment`, or `-` for any field. */
  readonly meta: ReadonlyMap<string, readonly string[]>;
}

/** Without empty keys. @throws ApiError `invalid_parameter` for too many */
export function checkedMeta(meta: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const requested = [...meta].map(([key, keywords]): [string, string[]] => [
    key,
    keywords.filter((keyword) => keyword.trim() !== ''),
  ]);
  const given = requested.filter(([, keywords]) => keywords.length > 0);
  if (given.length > MAX_KEYS) throw invalidParameter('meta', t('api.search.tooManyKeys', { max: MAX_KEYS }));
  const many = given.find(([, keywords]) => keywords.length > MAX_KEYWORDS);
  if (many !== undefined)
    throw invalidParameter(
      named(many[0]),
      t('api.search.tooManyKeywords', { parameter: named(many[0]), max: MAX_KEYWORDS }),
    );
  return new Map(given);
}

/** The permissions it needs, beyond those of a search by names. */
export function actionsFor(meta: ReadonlyMap<string, unknown>): FileAction[] {
  if (meta.size === 0) return [];
  return meta.has('comment') ? ['files/search:metadata', 'files/search:comments'] : ['files/search:metadata'];
}

/** @throws ApiError `invalid_parameter` for an unknown type or field */
export function criteriaFor(
  database: Pick<Database, 'all'>,
  homeId: string,
  definitions: Definitions,
  { query, metatype, meta }: Looked,
): Criterion[] {
  const criteria: Criterion[] = query === null ? [] : [nameCriterion(database, query)];
  if (metatype !== undefined) {
    const type = definitions.types.find(({ id }) => id === metatype);
    if (type === undefined) throw invalidParameter('metatype', t('api.search.unknownType'));
    criteria.push(typeCriterion(database, ruleOf(type)));
  }
  for (const [key, keywords] of meta) {
    criteria.push(
      key === 'comment'
        ? commentCriterion(database, homeId, keywords)
        : fieldCriterion(
            database,
            homeId,
            fieldsFor(definitions, key),
            isMark(key) ? keywords.map(withoutColor) : keywords,
          ),
    );
  }
  return criteria;
}

function fieldsFor({ fields, marks }: Definitions, key: string) {
  if (key === '-') return [...fields.values()];
  const id = isMark(key) ? marks[key] : /^[1-9]\d{0,14}$/.test(key) ? Number(key) : 0;
  const field = fields.get(id);
  if (field === undefined)
    throw invalidParameter(named(key), t('api.metadata.unknownField', { parameter: named(key) }));
  return [field];
}

function isMark(key: string): key is Mark {
  return MARKS.some((mark) => mark === key);
}

/** A label as in listings: `text|color`. */
function withoutColor(keyword: string): string {
  const bar = keyword.indexOf('|');
  return bar > 0 ? keyword.slice(0, bar) : keyword;
}

/** As it was sent. */
function named(key: string): string {
  return `meta[${key.slice(0, 60)}]`;
}
