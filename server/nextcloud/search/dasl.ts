import { ApiError, invalidParameter } from '../../http/errors.ts';
import { searchFold } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import {
  ANYTHING,
  allOf,
  anyOf,
  type Comparison,
  type Condition,
  hasUuidLike,
  IS_FOLDER,
  isStarredBy,
  mediaTypeLike,
  nameIs,
  nameLike,
  noneOf,
  type TimeOf,
  timeIs,
} from '../../search/condition.ts';
import type { SortKey } from '../../search/find-by-condition.ts';
import { exactPattern, likePattern } from '../../search/like.ts';
import { uuidsBeginWith } from '../../webdav/properties/file-id.ts';
import { propertiesIn, type RequestedProperties } from '../../webdav/properties/requested.ts';
import {
  DAV,
  davChild,
  elementsOf,
  isDav,
  NEXTCLOUD,
  OWNCLOUD,
  textOf,
  type XmlElement,
} from '../../webdav/xml/xml-tree.ts';

/** A search as apps send it. */
export interface BasicSearch {
  readonly requested: RequestedProperties;
  /** Of the folder, as the app writes it. */
  readonly href: string;
  readonly condition: Condition;
  readonly sort: readonly SortKey[];
  /** Whether it is about what files say of themselves. */
  readonly isAboutMetadata: boolean;
  /** Results that are left out at the beginning. */
  readonly start: number;
  readonly limit: number;
}

/** Most results of a search, also without a limit of its own. */
const MAX_RESULTS = 1_000;
/** Most results that are left out. */
const MAX_SKIPPED = 50_000;
/** Most conditions and operators of a search. */
const MAX_CONDITIONS = 100;
/** Most characters of a value. */
const MAX_LETTERS = 1_000;

/**
 * Parses a search (RFC 5323 §5) in the forms that apps for Nextcloud send
 * (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/search.html).
 * @param accountId whose favourites are meant
 * @throws ApiError `malformed_body`; `invalid_parameter` for what cannot be searched for or sorted by
 */
export function basicSearch(root: XmlElement | null, accountId: number): BasicSearch {
  const search = root !== null && isDav(root, 'searchrequest') ? davChild(root, 'basicsearch') : undefined;
  if (search === undefined) throw unexpected('searchrequest');
  const select = davChild(search, 'select');
  const prop = select && davChild(select, 'prop');
  const from = davChild(search, 'from');
  const scopes = from === undefined ? [] : elementsOf(from).filter((one) => isDav(one, 'scope'));
  const [scope] = scopes;
  const href = scope && davChild(scope, 'href');
  if (select === undefined || scope === undefined || href === undefined) throw unexpected('basicsearch');
  if (scopes.length > 1) throw unsupported('scope');
  const depth = davChild(scope, 'depth');
  if (depth !== undefined && textOf(depth).trim().toLowerCase() !== 'infinity') throw unsupported('depth');
  const where = davChild(search, 'where');
  const sort = sortKeys(davChild(search, 'orderby'));
  const conditions = new Conditions(accountId);
  const condition = where === undefined ? ANYTHING : conditions.only(where);
  return {
    requested: prop === undefined ? { kind: 'all', include: [] } : propertiesIn(prop),
    href: textOf(href).trim(),
    condition,
    sort,
    isAboutMetadata: conditions.isAboutMetadata || sort.some(({ by }) => by === 'taken'),
    ...limitsIn(davChild(search, 'limit')),
  };
}

class Conditions {
  readonly #accountId: number;
  #count = 0;
  isAboutMetadata = false;

  constructor(accountId: number) {
    this.#accountId = accountId;
  }

  only(parent: XmlElement): Condition {
    const [condition, ...others] = this.#in(parent);
    if (condition === undefined || others.length > 0) throw unexpected(parent.name);
    return condition;
  }

  #in(parent: XmlElement): Condition[] {
    return elementsOf(parent).map((one) => this.#of(one));
  }

  #of(element: XmlElement): Condition {
    this.#count += 1;
    if (this.#count > MAX_CONDITIONS) throw unexpected('where');
    const { name } = element;
    if (element.namespace !== DAV) throw unsupported(name);
    if (name === 'is-collection') return IS_FOLDER;
    if (name === 'not') return noneOf(this.only(element));
    if (name === 'and' || name === 'or') {
      const all = this.#in(element);
      if (all.length === 0) throw unexpected(name);
      return name === 'and' ? allOf(all) : anyOf(all);
    }
    if (name === 'like') return this.#like(element);
    if (COMPARISONS.has(name)) return this.#comparison(element, name as Comparison);
    throw unsupported(name);
  }

  #like(element: XmlElement): Condition {
    const { property, literal } = operandsOf(element);
    if (property === 'displayname') return nameLike(likePattern(searchFold(literal)));
    if (property === 'getcontenttype') return mediaTypeLike(likePattern(literal.toLowerCase()));
    throw unsupported(`like ${property}`);
  }

  #comparison(element: XmlElement, comparison: Comparison): Condition {
    const { property, literal } = operandsOf(element);
    const time = TIMES[property];
    if (time === 'taken') this.isAboutMetadata = true;
    if (time !== undefined) return timeIs(time, comparison, secondIn(property, literal));
    if (comparison !== 'eq') throw unsupported(`${comparison} ${property}`);
    if (property === 'displayname') return nameIs(searchFold(literal));
    if (property === 'getcontenttype') return mediaTypeLike(exactPattern(literal.toLowerCase()));
    if (property === 'fileid') return hasUuidLike(uuidsBeginWith(literal));
    if (property === 'favorite') return starCondition(this.#accountId, literal);
    throw unsupported(`eq ${property}`);
  }
}

const COMPARISONS: ReadonlySet<string> = new Set<Comparison>(['eq', 'lt', 'lte', 'gt', 'gte']);

const TAKEN = 'metadata-photos-original_date_time';
const TIMES: Readonly<Partial<Record<string, TimeOf>>> = { getlastmodified: 'modified', [TAKEN]: 'taken' };

/** The properties that can be searched for or sorted by. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  [DAV]: ['displayname', 'getcontenttype', 'getlastmodified', 'getcontentlength'],
  [OWNCLOUD]: ['fileid', 'favorite', 'size'],
  [NEXTCLOUD]: [TAKEN],
};

function propertyIn(element: XmlElement): string {
  const prop = davChild(element, 'prop');
  const [property, ...others] = prop === undefined ? [] : elementsOf(prop);
  if (property === undefined || others.length > 0) throw unexpected(element.name);
  const { namespace, name } = property;
  const known = Object.hasOwn(PROPERTIES, namespace) ? PROPERTIES[namespace] : undefined;
  if (known?.includes(name) !== true) throw unsupported(name);
  return name;
}

function operandsOf(element: XmlElement): { readonly property: string; readonly literal: string } {
  const literal = davChild(element, 'literal');
  if (literal === undefined) throw unexpected(element.name);
  const text = textOf(literal).trim();
  if (text.length > MAX_LETTERS) throw unexpected('literal');
  return { property: propertyIn(element), literal: text };
}

function starCondition(accountId: number, literal: string): Condition {
  const value = literal.toLowerCase();
  if (['1', 'yes', 'true'].includes(value)) return isStarredBy(accountId);
  if (['0', 'no', 'false'].includes(value)) return noneOf(isStarredBy(accountId));
  throw unsupported(`favorite ${literal}`);
}

/** Seconds since the epoch, of such a number or a date. Some phones write the seconds of the offset of very old dates. */
function secondIn(property: string, literal: string): number {
  if (/^-?\d{1,12}$/.test(literal)) return Number(literal);
  const time = Date.parse(literal.replace(/([+-]\d\d:\d\d):\d\d$/, '$1'));
  if (Number.isFinite(time)) return Math.floor(time / 1000);
  throw invalidParameter(property, t('api.parameters.datetime', { parameter: property }));
}

const SORTED: Readonly<Partial<Record<string, SortKey['by']>>> = {
  displayname: 'name',
  getlastmodified: 'modified',
  getcontentlength: 'size',
  size: 'size',
  [TAKEN]: 'taken',
};

/** RFC 5323 §5.6. Without an order, by name. */
function sortKeys(orderby: XmlElement | undefined): SortKey[] {
  const orders = orderby === undefined ? [] : elementsOf(orderby).filter((one) => isDav(one, 'order'));
  const keys = orders.slice(0, PROPERTIES[DAV]?.length).map((order) => {
    const property = propertyIn(order);
    const by = SORTED[property];
    if (by === undefined) throw unsupported(`order ${property}`);
    return { by, isDescending: davChild(order, 'descending') !== undefined };
  });
  return keys.length === 0 ? [{ by: 'name', isDescending: false }] : keys;
}

function limitsIn(limit: XmlElement | undefined): { readonly start: number; readonly limit: number } {
  const children = limit === undefined ? [] : elementsOf(limit);
  const numberIn = (namespace: string, name: string, otherwise: number) => {
    const found = children.find((one) => one.namespace === namespace && one.name === name);
    if (found === undefined) return otherwise;
    const text = textOf(found).trim();
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw invalidParameter(name, t('api.nextcloud.searchLimit'));
  };
  const start = numberIn(NEXTCLOUD, 'firstresult', 0);
  if (start > MAX_SKIPPED) throw unsupported('firstresult');
  return { start, limit: Math.min(numberIn(DAV, 'nresults', MAX_RESULTS), MAX_RESULTS) };
}

function unsupported(what: string): ApiError {
  return invalidParameter(what, t('api.nextcloud.searchUnsupported', { what }));
}

function unexpected(expected: string): ApiError {
  return new ApiError('malformed_body', t('api.webdav.unexpectedXml', { expected }));
}
