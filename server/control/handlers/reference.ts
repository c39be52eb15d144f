import type { RequestListener } from 'node:http';
import type { Accounts } from '../../accounts/accounts.ts';
import { inMemory } from '../../http/in-memory.ts';
import type { Method } from '../../http/operation.ts';
import { MEGABYTE } from '../../lib/bytes.ts';
import { SECOND } from '../../lib/clock.ts';
import type { Events, Origin } from '../../lib/events.ts';
import type { Log } from '../../lib/log/log.ts';
import { t } from '../../messages/messages.ts';
import type { ConsoleTokens } from '../../oauth/console-tokens.ts';
import type { Scope } from '../../oauth/scopes.ts';
import type { CheckedInput, Output } from '../contract/contract.ts';
import type { referenceMethods } from '../contract/reference.ts';
import { TRIED_FILE_BYTES } from '../contract/try-operation.ts';
import { ControlError, type Handlers } from '../dispatcher.ts';
import { ownerActor } from '../owner-actor.ts';
import { type Answer, tryOperation } from './try-operation.ts';

export type ReferenceHandlers = Pick<Handlers, keyof typeof referenceMethods>;

interface DeclaredOperation {
  readonly path: string;
  readonly methods: readonly Method[];
  readonly scopes: readonly Scope[];
}

interface ReferenceHandlerParts {
  readonly accounts: Accounts;
  readonly consoleTokens: ConsoleTokens;
  readonly events: Events;
  /** The application that handles all requests. */
  readonly app: RequestListener;
  readonly operations: readonly DeclaredOperation[];
  readonly openApi: () => Record<string, unknown>;
  /** The path of the API on this server. */
  readonly apiPath: string;
  /** A host name of this server, with a port if needed. */
  readonly host: () => string;
  readonly log: Log;
}

/** Milliseconds for one call. */
const LONGEST = 300 * SECOND;
const MAX_CONCURRENT = 10;

/**
 * The API reference and its console. Its user is the owner, who has access to everybody's files anyway, so the console gives no
 * additional rights. It must not bypass any check either: a tried operation passes through the same application as a request from
 * the network, with an access token of the account that is valid for a minute, has only the scopes of this operation, and belongs
 * to a client that nobody else can use. So every check, limit and activity entry is the real one. The token never leaves this
 * process and is revoked with the reply. That the owner acted as someone else is recorded separately.
 */
export function referenceHandlers(parts: ReferenceHandlerParts): ReferenceHandlers {
  const { accounts, consoleTokens, events, operations, openApi, apiPath, host } = parts;
  const server = inMemory(parts.app);
  const underWay = new Map<string, AbortController>();

  function declared({ operation, method }: CheckedInput<'api.try'>): DeclaredOperation {
    const found = operations.filter(({ path }) => path === operation);
    if (found.length === 0) throw new ControlError('refused', t('api.requests.unknownOperation'), 'operation');
    const fitting = found.find(({ methods }) => methods.includes(method));
    if (fitting === undefined)
      throw new ControlError('refused', t('api.requests.methodNotSupported', { method }), 'method');
    return fitting;
  }

  async function attempt(input: CheckedInput<'api.try'>, origin: Origin, stop: AbortController): Promise<Answer> {
    const { scopes } = declared(input);
    const file = fileOf(input);
    const account = await accounts.byId(input.accountId);
    if (account === null) throw new ControlError('refused', t('api.accounts.notFound'), 'accountId');
    const { method, operation, parameters } = input;
    const actor = await ownerActor(accounts, origin);
    const { accessToken, revoke } = await consoleTokens.issue({ accountId: account.id, scopes });
    const timer = setTimeout(() => stop.abort(), LONGEST);
    let status: number | null = null;
    try {
      const path = `${apiPath}/${operation}`;
      const answer = await tryOperation(server, {
        ...{ method, path, host: host(), accessToken, parameters, file },
        signal: stop.signal,
      });
      status = answer.status;
      return answer;
    } catch (error) {
      parts.log.debug({ err: error }, 'a request of the API reference ended without a response');
      throw new ControlError('refused', stop.signal.aborted ? STOPPED : BROKEN_OFF);
    } finally {
      clearTimeout(timer);
      events.emit('api.tried', { actor, method, operation, username: account.username, status });
      await revoke();
    }
  }

  return {
    'api.description': async () => ({ document: openApi() }),

    async 'api.try'(input, origin) {
      const { id } = input;
      if (underWay.has(id)) throw new ControlError('refused', t('api.control.requestRunning'), 'id');
      if (underWay.size >= MAX_CONCURRENT) throw new ControlError('refused', t('api.control.tooManyRequests'));
      const stop = new AbortController();
      underWay.set(id, stop);
      try {
        return answerView(await attempt(input, origin, stop));
      } finally {
        underWay.delete(id);
      }
    },

    async 'api.cancel'({ id }) {
      const stop = underWay.get(id);
      stop?.abort();
      return { wasUnderWay: stop !== undefined };
    },
  };
}

const STOPPED = t('api.control.requestStopped');
const BROKEN_OFF = t('api.control.responseCut');

function fileOf({ file, method }: CheckedInput<'api.try'>): { name: string; content: Buffer } | null {
  if (file === undefined) return null;
  if (method !== 'POST' && method !== 'PUT')
    throw new ControlError('refused', t('api.control.methodWithoutFile', { method }), 'file');
  const content = Buffer.from(file.base64, 'base64');
  if (content.length > TRIED_FILE_BYTES) {
    throw new ControlError(
      'invalid_input',
      t('api.control.fileTooLarge', { megabytes: TRIED_FILE_BYTES / MEGABYTE }),
      'file',
    );
  }
  return { name: file.name, content };
}

function answerView({ status, milliseconds, headers, body, bytes }: Answer): Output<'api.try'> {
  const type = headers.find(({ name }) => name === 'content-type')?.value ?? '';
  const mediaType = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isText = /^text\/|^application\/(?:json|xml|javascript)$|\+(?:json|xml)$/.test(mediaType) || body.length === 0;
  // Not fatal: a text that was cut may end within a character.
  const text = { kind: 'text', text: isText ? new TextDecoder().decode(body) : '' } as const;
  return {
    ...{ status, milliseconds, headers: [...headers], mediaType, bytes, shownBytes: body.length },
    body: isText && mediaType !== 'image/svg+xml' ? text : { kind: 'bytes', base64: body.toString('base64') },
  };
}
