import { z } from 'zod';
import { operationsFor } from '../http/operation.ts';
import { integer, itemName, text } from '../http/request/parameters.ts';
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
    summary: 'List the comments on a file or folder',
    description:
      'Returns the latest 1,000 comments, oldest first; with `before`, the latest 1,000 before that comment. For visitors of a web link, `uid` is null and `name` is the name they entered. For deleted accounts and people whom the caller may not see, both are null.',
    params: z.object({
      ...itemName(),
      before: commentId().optional().describe('Comment ID; only earlier comments are returned.'),
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
      const comments = await listComments(context, principal, params, params.before);
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
    summary: 'Add a comment',
    description:
      'At most 4,000 characters; line breaks are allowed. Comments stay with an item when it is moved, including to the trash. They are not copied with it.',
    params: z.object({ ...itemName(), comment: text().describe('Text of the comment.') }),
    data: z.object({ id: z.int().positive() }),
    run: async ({ params, principal }) => ({ id: await addComment(context, principal, params, params.comment) }),
  }),

  json({
    path: 'files/comments/delete',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Delete a comment',
    description: 'Deletes your own comment, or any comment on items in your home.',
    params: z.object({ ...itemName(), id: commentId().describe('Comment ID from files/comments/list.') }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await removeComment(context, principal, params, params.id);
      return {};
    },
  }),
];
