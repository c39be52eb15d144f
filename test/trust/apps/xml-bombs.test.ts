import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWNER } from '../../support/households/household.ts';
import { Ground } from '../access/secrets.ts';
import { HOSTILE_XML } from './xml-bodies.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open();
});
afterAll(() => ground.remove());

const TREE = '/remote.php/dav';
/** Every method that reads XML. */
const READERS = [
  ['PROPFIND', '/dav/My%20files/'],
  ['PROPPATCH', '/dav/My%20files/Photos'],
  ['LOCK', '/dav/My%20files/Work/file%201.txt'],
  ['REPORT', `${TREE}/files/${OWNER.username}/`],
  ['SEARCH', `${TREE}/`],
  ['PROPFIND', `${TREE}/trashbin/${OWNER.username}/trash`],
] as const;

const BOMBS = HOSTILE_XML.filter((text) => text.trim() !== '');

describe('malicious XML documents', () => {
  it.each(READERS)('are refused by %s of %s, without revealing anything of the machine', async (method, path) => {
    for (const body of BOMBS) {
      const sent = { headers: { depth: '0', 'content-type': 'text/xml' }, body };
      const { status, text } = await ground.api.send(method, path, sent);
      expect([body.slice(0, 80), status]).toEqual([body.slice(0, 80), expect.toBeOneOf([400, 403, 413])]);
      expect(ground.tellsTooMuch(text)).toBeNull();
    }
    expect((await ground.api.send('GET', '/healthz')).status).toBe(200);
  });

  it('change nothing', async () => {
    expect(await ground.damages()).toEqual([]);
  });
});
