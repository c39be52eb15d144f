import { SaxesParser } from 'saxes';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { XmlAttribute, XmlElement } from './xml-tree.ts';

/** Levels of nesting. The parser takes time quadratic in the depth. */
const MAX_LEVELS = 100;
/** Elements and attributes of one document. */
const MAX_NODES = 10_000;

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[];
}

/**
 * Parses the XML body of a request, with namespaces (RFC 4918 §8.2). A document type declaration is refused, so there are no
 * entities that expand or refer to files.
 * @returns the root element
 * @throws ApiError `malformed_body`
 */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: OpenElement[] = [];
  let root: XmlElement | null = null;
  let nodes = 0;
  const add = (child: string) => {
    open.at(-1)?.children.push(child);
  };
  parser.on('error', (error) => {
    throw malformed(error);
  });
  parser.on('doctype', () => {
    throw malformed();
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const own: XmlAttribute[] = Object.values(attributes)
      .filter((attribute) => attribute.prefix !== 'xmlns' && attribute.name !== 'xmlns')
      .map((attribute) => ({ namespace: attribute.uri, name: attribute.local, value: attribute.value }));
    nodes += 1 + own.length;
    if (nodes > MAX_NODES || open.length >= MAX_LEVELS) throw malformed();
    open.push({ namespace: uri, name: local, attributes: own, children: [] });
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed === undefined) return;
    const parent = open.at(-1);
    if (parent === undefined) root = closed;
    else parent.children.push(closed);
  });
  parser.write(text.replace(/^\ufeff/, '')).close();
  if (root === null) throw malformed();
  return root;
}

function malformed(cause?: unknown): ApiError {
  return new ApiError('malformed_body', t('api.webdav.malformedXml'), cause === undefined ? {} : { cause });
}
