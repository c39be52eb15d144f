import type { DeadProperty } from '../../files/dead-properties.ts';
import { SECOND } from '../../lib/clock.ts';
import { EARLIEST_TIME, LATEST_TIME } from '../../storage/disk/time-limits.ts';
import { MICROSOFT } from '../xml/xml-tree.ts';
import type { DavResource } from './live.ts';

/** The content of an element without others in it. */
const CONTENT = /^<[^>]*>([^<>&]*)</;

/**
 * The resource with the creation time that Windows has stored with it: no file system lets one set it, and an upload would make every
 * file new.
 */
export function withStoredCreation(resource: DavResource, stored: readonly DeadProperty[]): DavResource {
  const { entry } = resource;
  const property = stored.find(({ namespace, name }) => namespace === MICROSOFT && name === 'Win32CreationTime');
  if (entry === null || property === undefined) return resource;
  const created = Date.parse(CONTENT.exec(property.value)?.[1]?.trim() ?? '');
  const isTime = created >= EARLIEST_TIME * SECOND && created < (LATEST_TIME + 1) * SECOND;
  return isTime ? { ...resource, entry: { ...entry, created } } : resource;
}
