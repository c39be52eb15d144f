/** An element of a small document: an XML body, or a part of one that is stored. */
export interface XmlElement {
  /** The namespace name; empty for none. */
  readonly namespace: string;
  /** Without a prefix. */
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly (XmlElement | string)[];
}

export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

/** The namespace of WebDAV itself (RFC 4918 §21). */
export const DAV = 'DAV:';
/** Properties that sync clients of ownCloud and Nextcloud ask for. */
export const OWNCLOUD = 'http://owncloud.org/ns';
export const NEXTCLOUD = 'http://nextcloud.org/ns';
/** Of the messages in error bodies, which several clients show. */
export const SABRE = 'http://sabredav.org/ns';
/** Of the file times and attributes that Windows sets. */
export const MICROSOFT = 'urn:schemas-microsoft-com:';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** The child elements of an element. */
export function elementsOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

/** The first child element with a name in the namespace `DAV:`. */
export function davChild(element: XmlElement, name: string): XmlElement | undefined {
  return elementsOf(element).find((child) => isDav(child, name));
}

export function isDav(element: XmlElement, name: string): boolean {
  return element.namespace === DAV && element.name === name;
}

/** The text of an element and everything below it. */
export function textOf({ children }: XmlElement): string {
  return children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/**
 * An element as XML that needs no context: it declares each namespace itself.
 * @param outer the default namespace where it is inserted; null if that is unknown
 */
export function toXml(element: XmlElement, outer: string | null = null): string {
  const { namespace, name, attributes } = element;
  let head = `<${name}`;
  if (namespace !== outer) head += ` xmlns="${escapeXml(namespace)}"`;
  attributes.forEach((attribute, index) => {
    const value = escapeXml(attribute.value);
    if (attribute.namespace === '') head += ` ${attribute.name}="${value}"`;
    else if (attribute.namespace === XML) head += ` xml:${attribute.name}="${value}"`;
    else {
      head += ` xmlns:a${index}="${escapeXml(attribute.namespace)}" a${index}:${attribute.name}="${value}"`;
    }
  });
  const content = contentXml(element, namespace);
  return content === '' ? `${head}/>` : `${head}>${content}</${name}>`;
}

/** The content of an element as XML. @param outer the default namespace where it is inserted; null if that is unknown */
export function contentXml({ children }: XmlElement, outer: string | null = null): string {
  return children.map((child) => (typeof child === 'string' ? escapeXml(child) : toXml(child, outer))).join('');
}

/**
 * What is escaped, characters that no XML document may contain (XML 1.0 §2.2), and surrogates, which may lack their other half.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not be sent
const SPECIAL = /[&<>"\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not be sent
const INVALID = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** By the code of the character. */
const REFERENCES: ReadonlyMap<number, string> = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }).map(
    ([character, reference]) => [character.charCodeAt(0), reference],
  ),
);

/** Text for content and attribute values. Names on a disk may have characters that XML cannot express. */
export function escapeXml(text: string): string {
  // Most texts of a listing need nothing.
  if (!SPECIAL.test(text)) return text;
  const valid = text.toWellFormed().replace(INVALID, '\ufffd');
  let escaped = '';
  let from = 0;
  for (let index = 0; index < valid.length; index += 1) {
    const reference = REFERENCES.get(valid.charCodeAt(index));
    if (reference === undefined) continue;
    escaped += valid.slice(from, index) + reference;
    from = index + 1;
  }
  return escaped + valid.slice(from);
}
