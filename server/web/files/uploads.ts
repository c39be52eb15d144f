import type { Request, RequestHandler, Response } from 'express';
import type { AccountCaller } from '../../access/caller.ts';
import { uploadOperation } from '../../files/upload/operations.ts';
import { prepareUpload } from '../../files/upload/plan.ts';
import { publishUpload } from '../../files/upload/publish.ts';
import { bindOperations } from '../../http/bind.ts';
import { ApiError } from '../../http/errors.ts';
import { bodyParameters } from '../../http/request/read-parameters.ts';
import { foldName } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import type { Principal } from '../../oauth/bearer.ts';
import { checkFormToken, type Visitor } from '../shell/browser-session.ts';
import { type FilesPagesParts, namesIn } from './context.ts';
import { freeName } from './free-name.ts';

/** The caller of an upload in a browser. */
interface SessionCaller extends Pick<Visitor, 'confirm'> {
  readonly caller: AccountCaller;
}

/**
 * The script's uploads: the API's own operation, with the session instead of a token. Whole contents and chunks, with offset
 * queries, as there.
 * @param callerOf throws ApiError when the request may not upload
 */
export function sessionUploads(
  { files, clock }: FilesPagesParts,
  callerOf: (request: Request, response: Response) => Promise<SessionCaller>,
): RequestHandler {
  const operations = [{ ...uploadOperation(files), methods: ['PUT' as const] }];
  return async (request, response) => {
    const { caller, confirm } = await callerOf(request, response);
    const authenticate = async (): Promise<Principal> => {
      await confirm();
      return { ...caller, scopes: new Set() };
    };
    await bindOperations({ operations, now: () => clock.now(), authenticate })(request, response);
  };
}

/**
 * One file of a form, for browsers without JavaScript. An existing file of that name stays: the new one gets a number.
 * @returns whether it got one; null when no file was chosen
 * @throws ApiError
 */
export async function formUpload(
  parts: FilesPagesParts,
  caller: AccountCaller,
  visitor: Visitor,
  folder: readonly string[],
  request: Request,
  response: Response,
): Promise<{ isNumbered: boolean } | null> {
  const { files } = parts;
  const plan = await prepareUpload(files, caller, { location: null, bytes: null, chunk: null });
  let filename = '';
  const { parameters, file: isReceived } = await bodyParameters<boolean>(request, response, {
    take: async (content, name) => {
      filename = name;
      await plan.receive(content);
      return true;
    },
    drop: () => plan.drop(),
  });
  try {
    await visitor.confirm();
    checkFormToken(parameters.form_token, visitor);
    if (isReceived !== true || filename === '') {
      await plan.drop();
      return null;
    }
    const there = new Set((await namesIn(parts, caller, folder)).map(foldName));
    const name = freeName(there, filename);
    await publishUpload(files, caller, plan, { stated: { location: { path: [...folder, name] } } });
    return { isNumbered: name !== filename };
  } catch (error) {
    await plan.drop();
    throw error;
  }
}

export function noFile(): ApiError {
  return new ApiError('missing_parameter', t('files.forms.upload.none'));
}
