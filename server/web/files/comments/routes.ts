import express, { type Router } from 'express';
import { z } from 'zod';
import type { AccountCaller } from '../../../access/caller.ts';
import { addComment } from '../../../comments/add-comment.ts';
import type { CommentsContext } from '../../../comments/context.ts';
import { removeComment } from '../../../comments/remove-comment.ts';
import { InvalidValue } from '../../../fields/invalid-value.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { oneOf, virtualPath } from '../../../http/request/parameters.ts';
import { sendJson } from '../../../http/response/envelope.ts';
import { t } from '../../../messages/messages.ts';
import { formOf } from '../../shell/browser-session.ts';
import { sentenceOf } from '../actions.ts';
import { itemPage, pageOf } from '../listing/folder-view.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { commentsSection } from './section.ts';

const FORM_ACTIONS = { add: 'commented', remove: 'uncommented' } as const;

const requested = z.object({ path: virtualPath(), from: virtualPath().optional(), do: oneOf(['add', 'remove']) });

/** The comment forms of a file or folder; they use the services of files/comments. */
export function commentPages(context: CommentsContext, asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });

  router.post(
    '/files/comments',
    asFiles(async (request, response, pageRequest) => {
      const fields = await formOf(request, response, pageRequest.visitor);
      const { path, from, do: formAction } = checkParameters(requested, fields);
      const { at, list, query } = pageOf(path, from);
      try {
        await perform(context, pageRequest.caller, path, formAction, fields);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const problem = commentProblem(error);
        if (pageRequest.isForScript) throw new ApiError(error.code, problem);
        const typed = { value: fields.comment ?? '', problem };
        return itemPage(response, { ...pageRequest, query }, { typed, status: error.status });
      }
      if (!pageRequest.isForScript) {
        response.redirect(303, `${pageRequest.links.item(at, list)}&done=${FORM_ACTIONS[formAction]}#comments`);
        return;
      }
      const account = pageRequest.caller.account.id;
      const { text: section } = await commentsSection(pageRequest, at, list);
      sendJson(response, 200, { success: true, error: false, data: { account, section } });
    }),
  );

  return router;
}

async function perform(
  context: CommentsContext,
  caller: AccountCaller,
  path: readonly string[],
  formAction: keyof typeof FORM_ACTIONS,
  { comment = '', id = '' }: Readonly<Record<string, string>>,
): Promise<void> {
  if (formAction === 'add') await addComment(context, caller, path, comment);
  else await removeComment(context, caller, path, /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0);
}

/** API messages name a parameter first; people see the text box. */
export function commentProblem(error: ApiError): string {
  if (!(error instanceof InvalidValue)) return sentenceOf(error);
  const { kind, max = 0 } = error.fault;
  return t('comments.problem', { kind, max });
}
