import { z } from 'zod';
import { operationsFor } from '../http/operation.ts';
import { integer, text, virtualPath } from '../http/request/parameters.ts';
import { isoSeconds } from '../lib/datetime.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import { addComment } from './add-comment.ts';
import type { CommentsContext } from './context.ts';
import { listComments } from './list-comments.ts';
import { removeComment } from './remove-comment.ts';

const { json } = operationsFor<Principal, Scope>();

const commentId = () => integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

export const commentOperations = (context: CommentsContext) => [
  json({
    path: 'files/comments/list',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'List what people say about a file or folder',
    description:
      'The oldest first; of more than 1,000 the latest, and with `before` those before the comment of that id. `uid` is null for visitors of a link, with the `name` that they gave, and for people whom the asker may not know of, or whose account is gone, with `name` null as well.',
    params: z.object({
      path: virtualPath(),
      before: commentId().optional().describe('The id of a comment: those before it.'),
    }),
    data: z.object({
      comments: z.array(
        z.object({
          id: z.int().positive(),
          date: z.string(),
          uid: z.int().positive().nullable(),
          name: z.string().nullable(),
          comment: z.string(),
        }),
      ),
    }),
    run: async ({ params, principal }) => {
      const comments = await listComments(context, principal, params.path, params.before);
      return {
        comments: comments.map(({ id, createdAt, uid, name, comment }) => ({
          ...{ id, date: isoSeconds(createdAt), uid, name, comment },
        })),
      };
    },
  }),

  json({
    path: 'files/comments/add',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Say something about a file or folder',
    description:
      'At most 4,000 characters, with line breaks. A comment goes along with its item, also into the trash, and is not copied with it.',
    params: z.object({ path: virtualPath(), comment: text().describe('What is said.') }),
    data: z.object({ id: z.int().positive() }),
    run: async ({ params, principal }) => ({ id: await addComment(context, principal, params.path, params.comment) }),
  }),

  json({
    path: 'files/comments/delete',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Take a comment away',
    description: 'One’s own; on one’s own files anybody’s.',
    params: z.object({ path: virtualPath(), id: commentId().describe('Which one, as files/comments/list tells it.') }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await removeComment(context, principal, params.path, params.id);
      return {};
    },
  }),
];
