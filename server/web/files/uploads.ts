import type { Request, RequestHandler, Response } from 'express';
import type { AccountCaller } from '../../access/caller.ts';
import { uploadOperation } from '../../files/upload/operations.ts';
import { prepareUpload, type UploadPlan } from '../../files/upload/plan.ts';
import { publishUpload } from '../../files/upload/publish.ts';
import { bindOperations } from '../../http/bind.ts';
import { ApiError } from '../../http/errors.ts';
import type { Preconditions } from '../../http/request/preconditions.ts';
import { bodyParameters } from '../../http/request/read-parameters.ts';
import { foldName } from '../../lib/names/names.ts';
import { isSameFormat } from '../../lib/names/same-format.ts';
import { t } from '../../messages/messages.ts';
import type { Principal } from '../../oauth/bearer.ts';
import { checkFormToken, type Visitor } from '../shell/browser-session.ts';
import { type FilesPagesParts, findItem, namesIn } from './context.ts';
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

/** A form with a file, for browsers without JavaScript. */
interface FileForm {
  readonly parts: FilesPagesParts;
  readonly caller: AccountCaller;
  readonly visitor: Visitor;
  readonly request: Request;
  readonly response: Response;
}

/**
 * Adds the file of a form to a folder. An existing file of that name stays: the new one gets a number.
 * @returns whether it got one
 * @throws ApiError
 */
export async function uploadOfForm(form: FileForm, folder: readonly string[]): Promise<{ isNumbered: boolean }> {
  const { parts, caller } = form;
  return receiveFile(form, { location: null }, async (plan, filename) => {
    const there = new Set((await namesIn(parts, caller, folder)).map(foldName));
    const name = freeName(there, filename);
    await publishUpload(parts.files, caller, plan, { stated: { location: { path: [...folder, name] } } });
    return { isNumbered: name !== filename };
  });
}

/**
 * Makes the file of a form the new content of a file.
 * @throws ApiError `not_found`, `invalid_parameter` for a file of another format; those of an upload
 */
export async function newVersionOfForm(form: FileForm, path: readonly string[]): Promise<void> {
  const { parts, caller } = form;
  const conditions: Preconditions = { ifMatch: '*', ifNoneMatch: null, ifUnmodifiedSince: null };
  const { name } = (await findItem(parts, caller, `/${path.join('/')}`, null)).row;
  const check = (chosen: string) => {
    if (!isSameFormat(name, chosen))
      throw new ApiError('invalid_parameter', t('uploads.otherFormat', { name, chosen }));
  };
  await receiveFile(form, { location: { path }, conditions, check }, async (plan) => {
    await publishUpload(parts.files, caller, plan, { stated: { location: { path } } }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error;
      throw new ApiError('not_found', t('uploads.versionOfNothing'), { cause: error });
    });
  });
}

/** What is known before the content of a form arrives. */
interface Expected {
  /** Null while it depends on the name of the file. */
  readonly location: { readonly path: readonly string[] } | null;
  readonly conditions?: Preconditions;
  /** @throws ApiError for the name of a file that is refused: its content is not received */
  readonly check?: (filename: string) => void;
}

/** @throws ApiError also when no file was chosen */
async function receiveFile<Result>(
  { parts: { files }, caller, visitor, request, response }: FileForm,
  { location, conditions, check }: Expected,
  publish: (plan: UploadPlan, filename: string) => Promise<Result>,
): Promise<Result> {
  const plan = await prepareUpload(files, caller, {
    location,
    bytes: null,
    chunk: null,
    conditions: conditions ?? null,
  });
  let filename = '';
  const { parameters, file: isReceived } = await bodyParameters<boolean>(request, response, {
    take: async (content, name) => {
      filename = name;
      if (name !== '') check?.(name);
      await plan.receive(content);
      return true;
    },
    drop: () => plan.drop(),
  });
  try {
    await visitor.confirm();
    checkFormToken(parameters.form_token, visitor);
    if (isReceived !== true || filename === '') throw new ApiError('missing_parameter', t('files.forms.upload.none'));
    return await publish(plan, filename);
  } catch (error) {
    await plan.drop();
    throw error;
  }
}
