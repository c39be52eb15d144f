import type { IncomingMessage, ServerResponse } from 'node:http';
import { readText } from '../../http/request/read-parameters.ts';
import { parseXml } from './parse-xml.ts';
import type { XmlElement } from './xml-tree.ts';

/** Bytes of an XML body. */
const MOST = 512 * 1024;

/**
 * The XML body of a request, whatever its content type says: clients send several.
 * @returns null for an empty body
 * @throws ApiError `malformed_body`, `request_timeout`
 */
export async function readXml(request: IncomingMessage, response: ServerResponse): Promise<XmlElement | null> {
  const text = await readText(request, response, MOST);
  return text.trim() === '' ? null : parseXml(text);
}
