import type { IncomingMessage, ServerResponse } from 'node:http';
import { t } from '../messages/messages.ts';
import { isAllowed } from './connection/is-allowed.ts';
import { ApiError } from './errors.ts';
import { type ContentPlan, type Method, type Operation, type UploadHooks, WithStatus } from './operation.ts';
import { checkParameters } from './request/check-parameters.ts';
import { bodyParameters, queryParameters, receiveBody } from './request/read-parameters.ts';
import { sendJson, sendSerialized, successBody } from './response/envelope.ts';
import { SerializedBody } from './response/serialized-body.ts';
import { StreamedList, sendList } from './response/streamed-list.ts';

interface Binding<Principal, Scope extends string> {
  readonly operations: readonly Operation<Principal, Scope>[];
  /**
   * @param begunAt null when the request begins; later the time when it began: what has merely run out since then does not end
   * what is in progress
   * @throws ApiError when the request may not call the operation
   */
  readonly authenticate: (
    request: IncomingMessage,
    operation: Operation<Principal, Scope>,
    begunAt: number | null,
  ) => Promise<Principal>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Notified of every call that may be made, before it is.
   * @param isAllowed checks again whether the request may call the operation
   */
  readonly onCall?: (principal: Principal, response: ServerResponse, isAllowed: () => Promise<boolean>) => void;
}

/**
 * Runs a request through an operation: route, method, token and scope, parameters, handler, envelope.
 * @returns a handler for requests whose URL is relative to the API's address
 * @throws ApiError, for the error handler behind it
 */
export function bindOperations<Principal, Scope extends string>({
  operations,
  authenticate,
  now,
  onCall,
}: Binding<Principal, Scope>) {
  const byPath = new Map<string, Operation<Principal, Scope>[]>();
  for (const operation of operations) byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  /** `files/upload/film.mkv` */
  const named = (path: string) => {
    const above = byPath.get(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    return above?.some(({ takesName }) => takesName === true) ? above : undefined;
  };
  return async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    const found = byPath.get(path) ?? (request.method === 'PUT' ? named(path) : undefined);
    if (found === undefined) throw new ApiError('unknown_endpoint', t('api.requests.unknownOperation'));
    const operation = found.find(({ methods }) => methods.includes(request.method as Method));
    if (operation === undefined) {
      const methods = found.flatMap((one) => one.methods);
      throw new ApiError('method_not_allowed', t('api.requests.wrongMethod', { methods: methods.join(', ') }), {
        headers: { Allow: methods.join(', ') },
      });
    }
    const begunAt = now();
    const again = () => authenticate(request, operation, begunAt);
    const announcedBy = await authenticate(request, operation, null);
    onCall?.(announcedBy, response, () => isAllowed(again));
    const { params, plan } = await readCall(operation, announcedBy, request, response);
    try {
      // A body may take long to arrive. A token or permission that has ended meanwhile no longer counts.
      const hasBody = request.method === 'PUT' || request.method === 'POST';
      const principal = hasBody ? await again() : announcedBy;
      const confirm = async () => void (await again());
      const call = { principal, params, confirm, request, response };
      if (operation.reply === 'content') {
        await operation.run({ ...call, plan: null });
        return;
      }
      const result = await operation.run({ ...call, plan: plan as never });
      if (result instanceof StreamedList) return await sendList(request, response, result);
      if (result instanceof SerializedBody) return sendSerialized(response, result);
      const { status, data } = result instanceof WithStatus ? result : { status: 200, data: result };
      sendJson(response, status, successBody(data, operation.dataAtTop));
    } catch (error) {
      await plan?.drop();
      throw error;
    }
  };
}

/** The headers that any operation at an address honours. @param path below the API's address */
export function honouredHeaders<Principal, Scope extends string>(operations: readonly Operation<Principal, Scope>[]) {
  return (path: string): string[] => {
    const name = path.replace(/^\//, '').replace(/\/$/, '');
    const above = name.slice(0, Math.max(0, name.lastIndexOf('/')));
    const isAt = (one: Operation<Principal, Scope>) =>
      one.path === name || (one.takesName === true && one.path === above);
    return [...new Set(operations.filter(isAt).flatMap(({ honours = [] }) => honours))];
  };
}

function pathOf(request: IncomingMessage): string {
  // A proxy may send the whole address (RFC 9112 §3.2.2).
  const path = (request.url ?? '').replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] ?? '';
  return path.replace(/^\//, '').replace(/\/$/, '');
}

/**
 * Body and query together; where both carry a name, the body wins. A PUT's body is content, never parameters.
 * @returns checked parameters, and the upload where the request carried content, received
 * @throws ApiError; nothing of a content is left then
 */
async function readCall<Principal, Scope extends string>(
  operation: Operation<Principal, Scope>,
  principal: Principal,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<{ params: Record<string, unknown>; plan: ContentPlan | null }> {
  const query = queryParameters(request);
  const { headers } = request;
  const upload: UploadHooks<Principal, Record<string, unknown>, ContentPlan> | undefined =
    operation.reply === 'json' ? operation.upload : undefined;
  if (request.method === 'PUT' || upload !== undefined) refusePartial(headers);
  if (request.method === 'PUT') {
    // Reject before reading the content wherever that is possible.
    const params = checkParameters(operation.params, query);
    if (upload === undefined || upload.expects?.(params) === false) return { params, plan: null };
    const bytes = announcedLength(request);
    const plan = await upload.prepare({ principal, params, bytes, headers, isWholeBody: true });
    await receiveBody({ request, response }, (content) => plan.receive(content), upload.bodyTime);
    return { params, plan };
  }
  if (request.method !== 'POST') return { params: checkParameters(operation.params, query), plan: null };
  const inQuery = operation.params.safeParse(query);
  // A request without content is not checked as an upload. A form can still contradict its query, and carry content.
  const isAnnounced = inQuery.success && upload?.expects?.(inQuery.data) !== false;
  const announced = { principal, params: isAnnounced ? inQuery.data : null, bytes: null, headers, isWholeBody: false };
  const plan = (await upload?.prepare(announced)) ?? null;
  const { parameters: body, file: isReceived } = await bodyParameters<boolean>(
    request,
    response,
    plan === null
      ? undefined
      : {
          time: upload?.bodyTime,
          take: async (content) => {
            await plan.receive(content);
            return true;
          },
          drop: () => plan.drop(),
        },
  );
  try {
    return {
      params: checkParameters(operation.params, { ...query, ...body }),
      plan: isReceived === true ? plan : null,
    };
  } catch (error) {
    await plan?.drop();
    throw error;
  }
}

/** RFC 9110 §14.5: partial content must not be stored as a whole. @throws ApiError `invalid_parameter` */
function refusePartial(headers: IncomingMessage['headers']): void {
  if (headers['content-range'] === undefined) return;
  throw new ApiError('invalid_parameter', t('api.uploads.contentRange'), { details: { parameter: 'Content-Range' } });
}

/** @throws ApiError `length_required` when a PUT has neither a Content-Length nor a chunked transfer coding */
function announcedLength(request: IncomingMessage): number | null {
  const length = request.headers['content-length'];
  if (length !== undefined) return Number(length);
  if (request.headers['transfer-encoding'] === undefined) {
    throw new ApiError('length_required', t('api.requests.lengthRequired'));
  }
  return null;
}
