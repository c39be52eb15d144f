import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { AccountRecord } from '../accounts/accounts.ts';
import { requirePermission } from '../accounts/permissions/require-permission.ts';
import { type AccountPictures, MAX_IMAGE } from '../accounts/pictures.ts';
import { invalidParameter, missingParameter } from '../http/errors.ts';
import type { ContentPlan } from '../http/operation.ts';
import { DOWNLOAD_HEADERS, operationsFor } from '../http/operation.ts';
import { flag } from '../http/request/parameters.ts';
import { readBytes, uploadTooLarge } from '../http/request/read-bytes.ts';
import { sendChunks } from '../http/response/send-buffer.ts';
import { sendFile } from '../http/response/send-file.ts';
import { MINUTE } from '../lib/clock.ts';
import { actorOf, type Events } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import { initialsPicture } from './initials-picture.ts';
import { pictureFailure } from './picture-failure.ts';

const { json, content } = operationsFor<Principal, Scope>();

/** The picture of the token's account. */
export function avatarOperations(pictures: AccountPictures, events: Events) {
  return [showAvatar(pictures), changeAvatar(pictures, events)];
}

const showAvatar = (pictures: AccountPictures) =>
  content({
    path: 'account/avatar',
    methods: ['GET'],
    scopes: ['profile'],
    summary: 'Get the account’s picture',
    description:
      'Returns an image of 256 × 256 pixels with an `ETag`: a JPEG, or an SVG with the initials if no picture is set.',
    statuses: [200, 206, 304],
    honours: DOWNLOAD_HEADERS,
    params: z.object({}),
    run: ({ principal: { account }, request, response }) => sendAvatar(pictures, account, request, response),
  });

/** Sends the picture of an account, or one with its initials. */
export async function sendAvatar(
  pictures: Pick<AccountPictures, 'read'>,
  account: AccountRecord,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const picture = await pictures.read(account.id);
  const content = picture?.content ?? initialsPicture(account);
  const etag = etagOf(picture?.hash ?? createHash('sha256').update(content).digest('hex'));
  await sendFile(request, response, {
    filename: `${account.username}.${picture === null ? 'svg' : 'jpg'}`,
    mimeType: picture === null ? 'image/svg+xml' : 'image/jpeg',
    size: content.length,
    // A generated one changes with the name, at an unknown time.
    mtime: picture?.changedAt ?? 0,
    etag,
    inline: true,
    send: async (start, end) => void (await sendChunks(response, content.subarray(start, end + 1))),
  });
}

/** The image of a request, from the moment when it may occupy memory. */
class ImagePlan implements ContentPlan {
  readonly #pictures: AccountPictures;
  #done: (() => void) | null = null;
  bytes: Buffer = Buffer.alloc(0);

  constructor(pictures: AccountPictures) {
    this.#pictures = pictures;
  }

  async receive(content: Readable): Promise<void> {
    this.#done = await this.#pictures.takeTurn();
    try {
      this.bytes = await readBytes(content, MAX_IMAGE);
    } catch (error) {
      await this.drop();
      throw error;
    }
  }

  async drop(): Promise<void> {
    this.#done?.();
    this.#done = null;
  }
}

const changeAvatar = (pictures: AccountPictures, events: Events) =>
  json({
    path: 'account/avatar',
    methods: ['PUT', 'POST'],
    scopes: ['profile'],
    summary: 'Set or remove the account’s picture',
    description:
      'Send a JPEG, PNG, WebP, GIF, AVIF or TIFF image of at most 20 MB, as the body of a PUT or as the part `file` of a multipart POST. It is rotated upright, cropped to 256 × 256 pixels and stripped of its metadata. The reply has the `etag` of the new picture. `remove=1` without an image removes the picture; it succeeds even if none is set.',
    params: z.object({ remove: flag().default(false).describe('Remove the picture. Send no image.') }),
    data: z.object({ etag: z.string().optional() }),
    upload: {
      bodyTime: 2 * MINUTE,
      expects: ({ remove }) => !remove,
      async prepare({ principal, bytes }) {
        requirePermission(principal.account, 'edit_profile');
        if (bytes !== null && bytes > MAX_IMAGE) throw uploadTooLarge(MAX_IMAGE);
        return new ImagePlan(pictures);
      },
    },
    run: async ({ params: { remove }, principal, plan }) => {
      const { account } = principal;
      const changed = () => events.emit('picture.changed', { actor: actorOf(principal, account) });
      requirePermission(account, 'edit_profile');
      if (remove) {
        if (plan !== null) throw invalidParameter('remove', t('api.pictures.removeWithImage'));
        await pictures.remove(account.id);
        changed();
        return {};
      }
      if (plan === null) throw missingParameter('file');
      try {
        const { hash } = await pictures.set(account.id, plan.bytes);
        changed();
        return { etag: etagOf(hash) };
      } catch (error) {
        throw pictureFailure(error);
      } finally {
        await plan.drop();
      }
    },
  });

function etagOf(hash: string): string {
  return `"${hash}"`;
}
