import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { itInFull, sampled } from '../../support/forms.ts';
import type { Reply } from '../../support/requests/api-client.ts';
import { offsetOf, sendChunk } from '../../support/requests/chunks.ts';
import { areaOf, expectAllWell, type Failing, openFailing, PowerCuts } from '../support.ts';

const path = '/ROOT/HOME/film.bin';
const content = randomBytes(3_000_000);
const named = { uploadId: 'an-upload-on-a-bad-disk' };
const outcome = ({ status, body }: Reply) => [status, body.code ?? body.data.offset ?? body.data.fileSize];

/** Until a server of this process has the next request. */
function nextRequest(): Promise<void> {
  return new Promise((resolve) => {
    const come = () => {
      unsubscribe('http.server.request.start', come);
      resolve();
    };
    subscribe('http.server.request.start', come);
  });
}

describe('chunks on a failing disk', () => {
  let failing: Failing;
  afterEach(() => failing.close());

  it.each(sampled(['storage.receive.write', 'storage.receive.flush'], 1))(
    'that cannot be stored at %s are not counted, and earlier ones are kept',
    async (point) => {
      for (const [action, answer] of [
        ['enospc', [507, 'disk_full']],
        ['eio', [503, 'temporarily_unavailable']],
      ] as const) {
        failing = await openFailing(`${point}=${action}`);
        const { household } = failing;
        await household.restart({ failPoints: '' });
        let api = await household.signIn();
        await sendChunk(api, path, content, 0, 1_000_000, named);
        await household.restart();
        api = await household.signIn();
        expect(outcome(await sendChunk(api, path, content, 1_000_000, 2_000_000, named))).toEqual(answer);
        expect(await offsetOf(api, path, named)).toBe(1_000_000);
        await failing.heal();
        api = await household.signIn();
        expect(outcome(await sendChunk(api, path, content, 1_000_000, content.length, named))).toEqual([
          201, 3_000_000,
        ]);
        expect((await readFile(join(household.home, 'film.bin'))).equals(content)).toBe(true);
        await expectAllWell(household);
        if (action === 'enospc') await failing.close();
      }
    },
  );

  itInFull.each([
    ['enospc', 507],
    ['eio', 503],
  ])('are discarded if a flush failed with %s, which the system reports only once', async (action, status) => {
    failing = await openFailing(`storage.receive.early-flush=${action}`);
    const { household, api } = failing;
    const large = Buffer.alloc(70 * 1024 * 1024, 7);
    const reply = await api.put({ path, totalSize: large.length + 1, startByte: 0 }, large);
    expect(reply.status).toBe(status);
    expect(failing.hasReached('storage.receive.early-flush')).toBe(true);
    expect(await offsetOf(api, path)).toBe(0);
    expect((await api.put({ path }, large)).status).toBe(status);
    expect(await readdir(household.home)).toEqual(['.larder-home']);
    await expectAllWell(household, 1);
  });

  it('do not become a file of zeros: an upload whose last step failed after publishing starts again', async () => {
    failing = await openFailing('storage.publish.named=eio');
    const { household, api } = failing;
    await sendChunk(api, path, content, 0, 2_000_000);
    expect((await sendChunk(api, path, content, 2_000_000)).status).toBe(500);
    const retried = await sendChunk(api, path, content, content.length);
    expect([...outcome(retried), retried.body.details.offset]).toEqual([409, 'conflict', 0]);
    expect((await readFile(join(household.home, 'film.bin'))).equals(content)).toBe(true);
    expect(await offsetOf(api, path)).toBe(0);
    await expectAllWell(household);
  });

  itInFull('wait while a complete upload is published: nothing writes into a file of the home', async () => {
    failing = await openFailing('storage.publish.found-folder=pause');
    const { household, api } = failing;
    await sendChunk(api, path, content, 0, 2_000_000);
    let again: Promise<Reply> | undefined;
    const last = await failing.whilePausedAt(
      'storage.publish.found-folder',
      sendChunk(api, path, content, 2_000_000),
      async () => {
        // The client has lost patience and sends a part of it again.
        const arrived = nextRequest();
        again = sendChunk(api, path, content, 1_000_000, 1_500_000);
        await arrived;
      },
    );
    expect(outcome(last)).toEqual([201, 3_000_000]);
    expect((await again)?.status).toBe(409);
    expect((await readFile(join(household.home, 'film.bin'))).equals(content)).toBe(true);
    await expectAllWell(household);
  });
});

describe('a power cut during a chunked upload', () => {
  let cuts: PowerCuts;
  beforeAll(async () => {
    cuts = await PowerCuts.open();
  });
  afterAll(() => cuts.close());

  it('between adding the new name and removing the old one: nothing more is written into the file', async () => {
    const target = '/ROOT/HOME/linked.bin';
    await sendChunk(cuts.api, target, content, 0, 2_000_000);
    await cuts.at('storage.linked', (api) => sendChunk(api, target, content, 2_000_000));
    expect(await offsetOf(cuts.api, target)).toBe(0);
    expect(await areaOf(cuts.household, 'incoming')).toEqual([]);
    expect(outcome(await sendChunk(cuts.api, target, content, 2_000_000))).toEqual([409, 'conflict']);
    await sendChunk(cuts.api, target, Buffer.alloc(content.length), 0, 10);
    expect((await readFile(join(cuts.household.home, 'linked.bin'))).equals(content)).toBe(true);
    await expectAllWell(cuts.household, 1);
  });

  it('between the last chunk and publishing is continued with an empty chunk', async () => {
    const target = '/ROOT/HOME/complete.bin';
    await sendChunk(cuts.api, target, content, 0, 2_000_000, named);
    const before = (await areaOf(cuts.household, 'incoming')).length;
    await cuts.at('files.upload.complete', (api) => sendChunk(api, target, content, 2_000_000, content.length, named));
    expect(await areaOf(cuts.household, 'incoming')).toHaveLength(before);
    expect(await offsetOf(cuts.api, target, named)).toBe(3_000_000);
    expect(outcome(await sendChunk(cuts.api, target, content, 3_000_000, content.length, named))).toEqual([
      201, 3_000_000,
    ]);
    expect((await readFile(join(cuts.household.home, 'complete.bin'))).equals(content)).toBe(true);
    await expectAllWell(cuts.household, before - 1);
  });
});
