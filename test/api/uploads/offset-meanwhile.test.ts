import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountCaller } from '../../../dist/server/access/caller.js';
import { uploadOffset } from '../../../dist/server/files/upload/chunks.js';
import type { UploadContext } from '../../../dist/server/files/upload/context.js';
import { prepareUpload } from '../../../dist/server/files/upload/plan.js';
import { publishUpload } from '../../../dist/server/files/upload/publish.js';
import { PeopleOnDisk } from '../../support/households/people-on-disk.ts';
import { uploadContext } from '../../support/households/upload-context.ts';

let people: PeopleOnDisk;
let context: UploadContext;
let ann: AccountCaller;

beforeAll(async () => {
  people = await PeopleOnDisk.open();
  context = uploadContext(people, people.disk.disk) as UploadContext;
  ann = await people.caller(people.ann);
});
afterAll(() => people.close());

const of = { totalSize: 12, lastModified: 1_700_000_000, digest: undefined };

/** Sends bytes without the id, as a client does that has not asked for it. */
async function send(startByte: number, content: string) {
  const location = { filePath: ['ROOT', 'HOME', 'film.bin'] };
  const chunk = { ...of, uploadId: undefined, startByte };
  const plan = await prepareUpload(context, ann, { location, bytes: content.length, chunk });
  await plan.receive(Readable.from([Buffer.from(content)]));
  return { target: plan.target, sent: await publishUpload(context, ann, plan) };
}

it('asking for the offset of an upload does not undo a chunk that arrives meanwhile', async () => {
  const { target, sent } = await send(0, 'aaaa');
  if (target === null || !('uploadId' in sent)) throw new Error('the upload is not unfinished');
  const { uploadId } = sent;
  const rows = context.uploadRows;
  let arrived: unknown = null;
  const asked: UploadContext = {
    ...context,
    uploadRows: {
      ...rows,
      async get<Row>(...question: Parameters<typeof rows.get>) {
        const row = await rows.get<Row>(...question);
        arrived ??= (await send(4, 'bbbb')).sent;
        return row;
      },
    },
  };
  // It may be the offset from before, but not for others.
  expect(await uploadOffset(asked, ann, target, { ...of, uploadId })).toEqual({ offset: 4, uploadId });
  expect(arrived).toMatchObject({ offset: 8, isComplete: false });
  expect(await rows.all('SELECT received, position, is_named FROM uploads')).toEqual([
    { received: 8, position: 8, is_named: 1 },
  ]);
  expect(await uploadOffset(context, ann, target, { ...of, uploadId })).toEqual({ offset: 8, uploadId });
});
