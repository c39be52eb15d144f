import type { IncomingMessage, ServerResponse } from 'node:http';
import { drained } from '../../lib/async/drain.ts';
import { giveUpOnSilence } from '../connection/idle-timeout.ts';
import { SUCCESS_HEAD } from './envelope.ts';

/** The data of a reply with one field that is a streamed list. */
export class StreamedList {
  readonly field: string;
  readonly items: AsyncIterable<unknown> | Iterable<unknown>;
  /** The other fields, available after the last item. */
  readonly rest: () => object;
  /** Fields that are known before, and are sent before the list. */
  readonly first: object;

  constructor(
    field: string,
    items: AsyncIterable<unknown> | Iterable<unknown>,
    rest: () => object,
    first: object = {},
  ) {
    this.field = field;
    this.items = items;
    this.rest = rest;
    this.first = first;
  }
}

/** Characters that are gathered before they are written. */
const CHUNK = 64 * 1024;

/**
 * Streams the envelope of §4 around a list of any length, with back-pressure. A failure midway breaks the connection: half a list
 * must not look complete.
 */
export async function sendList(
  request: IncomingMessage,
  response: ServerResponse,
  { field, items, rest, first }: StreamedList,
): Promise<void> {
  let text = '';
  const head = JSON.stringify(first).slice(1, -1);
  let separator = `${SUCCESS_HEAD}{${head}${head === '' ? '' : ','}${JSON.stringify(field)}:[`;
  let isBegun = false;
  const write = async () => {
    if (!isBegun) {
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.setHeader('Cache-Control', 'no-store');
      giveUpOnSilence(request, response);
      isBegun = true;
    }
    const goesOn = response.write(text);
    text = '';
    if (!goesOn) await drained(response);
  };
  const add = (item: unknown) => {
    text += separator + JSON.stringify(item);
    separator = ',';
    return text.length >= CHUNK;
  };
  // An await for each item would take as long as the item itself.
  if (Symbol.iterator in items) {
    for (const item of items) {
      if (add(item)) await write();
      if (response.destroyed) return;
    }
  } else {
    for await (const item of items) {
      if (add(item)) await write();
      if (response.destroyed) return;
    }
  }
  const data = JSON.stringify(rest()).slice(1, -1);
  if (response.destroyed) return;
  text += `${separator === ',' ? '' : separator}]${data === '' ? '' : `,${data}`}}}`;
  await write();
  response.end();
}
