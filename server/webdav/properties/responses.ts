import { STATUS_CODES } from 'node:http';
import type { DeadProperty } from '../../files/dead-properties.ts';
import { DAV, escapeXml, NEXTCLOUD, OWNCLOUD } from '../xml/xml-tree.ts';
import { type DavFacts, type DavResource, isLive, liveNames, liveProperty, type PropertyWriter } from './live.ts';
import type { PropertyName, RequestedProperties } from './requested.ts';
import { withStoredCreation } from './stored-times.ts';

/** Writes the `response` element of one resource (RFC 4918 §14.24). */
interface ResponseWriter {
  (resource: DavResource, facts: DavFacts, stored: readonly DeadProperty[]): string;
  /** Whether properties that clients have stored are asked for. */
  readonly needsStored: boolean;
  readonly needsHashes: boolean;
  /** Whether everything asked for follows from the content of the folder and the facts. */
  readonly isOfContent: boolean;
}

/** Decides once for all resources which properties are written, and how. */
export function responsesFor(requested: RequestedProperties): ResponseWriter {
  if (requested.kind === 'names') return nameWriter();
  const asked = requested.kind === 'all' ? [...liveNames(), ...requested.include] : requested.names;
  const wanted = distinct(asked).map((name) => ({ name, write: liveProperty(name), missing: emptyElement(name) }));
  const ofClients = wanted.filter(({ write }) => write === undefined);
  const isAll = requested.kind === 'all';
  const named = new Set(ofClients.map(({ name }) => keyOf(name)));
  const write = (plain: DavResource, facts: DavFacts, stored: readonly DeadProperty[]): string => {
    const resource = withStoredCreation(plain, stored);
    let found = '';
    let missing = '';
    for (const one of wanted) {
      if (one.write === undefined) continue;
      const element = one.write(resource, facts);
      if (element !== null) found += element;
      // RFC 4918 §9.1: with allprop, what does not apply is left out.
      else if (!isAll) missing += one.missing;
    }
    for (const property of stored) {
      // An earlier version may have stored what is computed now.
      if (isAll ? !isLive(property) : named.has(keyOf(property))) found += property.value;
    }
    for (const { name, missing: element } of ofClients) {
      if (!stored.some((property) => keyOf(property) === keyOf(name))) missing += element;
    }
    return responseOf(resource.href, found, missing);
  };
  const asksFor = (namespace: string, name: string) =>
    wanted.some((one) => one.name.namespace === namespace && one.name.name === name);
  return Object.assign(write, {
    needsStored: isAll || ofClients.length > 0 || asksFor(DAV, 'creationdate') || asksFor(NEXTCLOUD, 'creation_time'),
    needsHashes: asksFor(OWNCLOUD, 'checksums'),
    isOfContent: !asksFor(OWNCLOUD, 'checksums') && !asksFor(OWNCLOUD, 'size'),
  });
}

function nameWriter(): ResponseWriter {
  const live: { name: PropertyName; write: PropertyWriter | undefined }[] = liveNames().map((name) => ({
    name,
    write: liveProperty(name),
  }));
  const write = (resource: DavResource, facts: DavFacts, stored: readonly DeadProperty[]): string => {
    const applying = live.filter((one) => one.write !== undefined && one.write(resource, facts) !== null);
    return responseOf(resource.href, [...applying.map(({ name }) => name), ...stored].map(emptyElement).join(''), '');
  };
  return Object.assign(write, { needsStored: true, needsHashes: false, isOfContent: true });
}

function responseOf(href: string, found: string, missing: string): string {
  // At least one is required.
  const first = found === '' && missing !== '' ? '' : propstat(found, 200);
  return `<d:response><d:href>${escapeXml(href)}</d:href>${first}${missing === '' ? '' : propstat(missing, 404)}</d:response>`;
}

/** The `propstat` element of properties with the same outcome. @param elements as XML @param condition of a failure */
export function propstat(elements: string, status: number, condition = ''): string {
  const error = condition === '' ? '' : `<d:error>${condition}</d:error>`;
  return `<d:propstat><d:prop>${elements}</d:prop><d:status>HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}</d:status>${error}</d:propstat>`;
}

/** An element without content, with the prefixes of the reply. */
export function emptyElement({ namespace, name }: PropertyName): string {
  if (namespace === DAV) return `<d:${name}/>`;
  if (namespace === OWNCLOUD) return `<oc:${name}/>`;
  if (namespace === NEXTCLOUD) return `<nc:${name}/>`;
  return `<${name} xmlns="${escapeXml(namespace)}"/>`;
}

function keyOf({ namespace, name }: PropertyName): string {
  return `${namespace}\n${name}`;
}

function distinct(names: readonly PropertyName[]): PropertyName[] {
  return [...new Map(names.map((name) => [keyOf(name), { namespace: name.namespace, name: name.name }])).values()];
}
