import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { DAV, davChild, elementsOf, isDav, OWNCLOUD, toXml, type XmlElement } from '../xml/xml-tree.ts';

export interface PropertyName {
  readonly namespace: string;
  readonly name: string;
}

/** What a PROPFIND asks for (RFC 4918 §9.1). */
export type RequestedProperties =
  | { readonly kind: 'names' }
  /** Those that every resource has, and these. */
  | { readonly kind: 'all'; readonly include: readonly PropertyName[] }
  | { readonly kind: 'some'; readonly names: readonly PropertyName[] };

/** @param root of the body; null for an empty body @throws ApiError `malformed_body` */
export function requestedProperties(root: XmlElement | null): RequestedProperties {
  if (root === null) return { kind: 'all', include: [] };
  if (!isDav(root, 'propfind')) throw unexpected('propfind');
  const forms = elementsOf(root).filter((one) => ['prop', 'propname', 'allprop'].some((name) => isDav(one, name)));
  const [form] = forms;
  if (form === undefined || forms.length > 1) throw unexpected('propfind');
  if (form.name === 'propname') return { kind: 'names' };
  if (form.name === 'prop') return propertiesIn(form);
  const include = davChild(root, 'include');
  return { kind: 'all', include: include === undefined ? [] : namesIn(include) };
}

/** The properties that an element `prop` names. @throws ApiError `malformed_body` for too many */
export function propertiesIn(prop: XmlElement): RequestedProperties {
  return { kind: 'some', names: namesIn(prop) };
}

/** The properties that are asked for by name. */
export function namedIn(requested: RequestedProperties): readonly PropertyName[] {
  if (requested.kind === 'names') return [];
  return requested.kind === 'some' ? requested.names : requested.include;
}

export function needsChecksums(requested: RequestedProperties): boolean {
  return namedIn(requested).some(({ namespace, name }) => namespace === OWNCLOUD && name === 'checksums');
}

export function needsSums(requested: RequestedProperties): boolean {
  return namedIn(requested).some(({ namespace, name }) => namespace === OWNCLOUD && name === 'size');
}

export function isFavouriteAsked(requested: RequestedProperties): boolean {
  return namedIn(requested).some(isFavourite);
}

/** The property that says whether the caller has starred an item. */
export function isFavourite({ namespace, name }: PropertyName): boolean {
  return namespace === OWNCLOUD && name === 'favorite';
}

/** The property that says what the caller may do. */
export function isPermissions({ namespace, name }: PropertyName): boolean {
  return namespace === OWNCLOUD && name === 'permissions';
}

/** Whether tags are asked for. */
export function needsTags(requested: RequestedProperties): boolean {
  return (
    requested.kind !== 'some' || requested.names.some(({ namespace, name }) => namespace === DAV && name === 'getetag')
  );
}

/** One step of a PROPPATCH (RFC 4918 §9.2): the new element, or null to remove the property. */
export interface PropertyChange extends PropertyName {
  readonly element: XmlElement | null;
  /** The new element as XML that needs no context; null to remove the property. */
  readonly value: string | null;
}

/** @returns the steps in order @throws ApiError `malformed_body` */
export function propertyChanges(root: XmlElement): PropertyChange[] {
  if (!isDav(root, 'propertyupdate')) throw unexpected('propertyupdate');
  const changes = elementsOf(root).flatMap((step) => {
    if (!isDav(step, 'set') && !isDav(step, 'remove')) return [];
    const prop = davChild(step, 'prop');
    if (prop === undefined) throw unexpected('propertyupdate');
    return elementsOf(prop).map((element) => ({
      namespace: element.namespace,
      name: element.name,
      element: step.name === 'set' ? element : null,
      value: step.name === 'set' ? toXml(withLanguage(element, [prop, step, root])) : null,
    }));
  });
  if (changes.length === 0) throw unexpected('propertyupdate');
  return changes;
}

/** Properties that one request may name: each of them is answered for each resource. */
const MAX_NAMES = 500;

function namesIn(element: XmlElement): PropertyName[] {
  const names = elementsOf(element).map(({ namespace, name }) => ({ namespace, name }));
  if (names.length > MAX_NAMES) throw unexpected('propfind');
  return names;
}

/** RFC 4918 §4.3: the language of a value is part of it, also when it is stated further out. */
function withLanguage(element: XmlElement, outer: readonly XmlElement[]): XmlElement {
  const languageOf = ({ attributes }: XmlElement) =>
    attributes.find(({ namespace, name }) => namespace.endsWith('/XML/1998/namespace') && name === 'lang');
  if (languageOf(element) !== undefined) return element;
  const language = outer.map(languageOf).find((one) => one !== undefined);
  return language === undefined ? element : { ...element, attributes: [...element.attributes, language] };
}

function unexpected(expected: string): ApiError {
  return new ApiError('malformed_body', t('api.webdav.unexpectedXml', { expected }));
}
