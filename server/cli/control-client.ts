import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import {
  type Contract,
  controlFailure,
  type Input,
  type MethodName,
  type Output,
} from '../control/contract/contract.ts';
import { readControlFile } from '../control/control-file.ts';
import { ControlError } from '../control/dispatcher.ts';
import { controlProof } from '../control/panel/panel-sessions.ts';
import { FolderInUse, lockFolder } from '../database/folder-lock.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { t } from '../messages/messages.ts';
import { FolderMissing, neverToStartIn, requireInstallation } from '../storage/installation/data-folder.ts';
import { type Layout, layoutOf } from '../storage/layout.ts';
import { forkWorker } from '../workers/pool/fork-worker.ts';
import { briefLog, type CliContext } from './context.ts';

const challengeReply = z.object({ proof: z.string(), nonce: z.string() });
const sessionReply = z.object({ token: z.string() });

/** Milliseconds to wait for another command: on a slow machine one takes seconds. */
const TURN = 15_000;
/** Milliseconds to wait for the reply of a running server. */
const TIMEOUT = 6_000;
const RETRY = 200;

class NotReached extends ControlError {
  constructor(message: string) {
    super('refused', message);
  }
}

export interface ControlClient {
  /** Whether the folder was opened by this process, because no server runs on it. */
  readonly isOpenedHere: boolean;
  call(method: string, input: unknown): Promise<unknown>;
  invoke<Name extends MethodName>(method: Name, input: Input<Name>): Promise<Output<Name>>;
  close(): Promise<void>;
}

/** The required part of the command line's context. */
type ControlContext = Pick<CliContext, 'config'> & Partial<Pick<CliContext, 'spawnWorker'>>;

/**
 * Connects to the installation in the folder: opened here when it is not in use, otherwise through the running server.
 * @param creates whether a missing installation is created: by set-up only, because a mistyped folder must not become one
 * @throws FolderMissing, FolderProblem, ControlError
 */
export async function openControl(context: ControlContext, { creates = false } = {}): Promise<ControlClient> {
  if (!creates) await requireSetUp(layoutOf(context.config.folder));
  const deadline = Date.now() + TURN;
  for (;;) {
    try {
      return await reach(context);
    } catch (error) {
      // The folder may be in use by another short command, or by a server that is starting or stopping.
      if (!(error instanceof NotReached) || Date.now() > deadline) throw error;
      await setTimeout(RETRY);
    }
  }
}

/** @throws FolderMissing that names the folder, which may be mistyped, and says how an installation is created */
async function requireSetUp(layout: Layout): Promise<void> {
  try {
    await requireInstallation(layout);
  } catch (error) {
    if (!(error instanceof FolderMissing) || !error.isAway) throw error;
    // Of a backup, or an interrupted restore, opening says more.
    if ((await neverToStartIn(layout).catch(() => null)) !== null) return;
    const message = t('cli.errors.nothingThere', { folder: layout.folder, command: larderCommand() });
    throw new FolderMissing(message, { cause: error.cause });
  }
}

async function reach({ config, spawnWorker = forkWorker }: ControlContext): Promise<ControlClient> {
  const layout = layoutOf(config.folder);
  if (!(await isInUse(layout.lock))) {
    try {
      // Loaded only if needed: most commands use a running server.
      const { openLarder } = await import('../composition/larder.ts');
      const larder = await openLarder({ config, log: briefLog(), spawnWorker });
      return client(
        true,
        (method, input) => larder.dispatcher.dispatch(method, input),
        () => larder.close(),
      );
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
    }
  }
  const session = await openSession(layout.control);
  return client(
    false,
    (method, input) => post(session.port, `/control/${method}`, input, session.token),
    async () => undefined,
  );
}

/** A quick check. Other problems of the folder are reported when it is opened. */
async function isInUse(lock: string): Promise<boolean> {
  try {
    await (await lockFolder(lock))();
    return false;
  } catch (error) {
    return error instanceof FolderInUse;
  }
}

function client(isOpenedHere: boolean, call: ControlClient['call'], close: ControlClient['close']): ControlClient {
  return {
    isOpenedHere,
    call,
    close,
    invoke: async (method, input) => (await call(method, input)) as z.output<Contract[typeof method]['output']>,
  };
}

/**
 * Signs in at the running server. Another program may have taken the port since `control.json` was written, so the server must
 * first prove that it holds the key.
 */
async function openSession(file: string): Promise<{ port: number; token: string }> {
  const running = await readControlFile(file);
  if (running === null) {
    throw new NotReached(t('cli.errors.folderTaken', { file }));
  }
  const { port, key } = running;
  const nonce = randomBytes(24).toString('base64url');
  const challenge = challengeReply.safeParse(await post(port, '/control-challenge', { nonce }));
  if (!challenge.success || challenge.data.proof !== controlProof(key, 'server', nonce)) {
    throw new NotReached(t('cli.errors.otherServer', { port }));
  }
  const proof = controlProof(key, 'client', challenge.data.nonce);
  const { token } = sessionReply.parse(await post(port, '/control-session', { nonce: challenge.data.nonce, proof }));
  return { port, token };
}

async function post(port: number, path: string, body: unknown, token?: string): Promise<unknown> {
  const { status, text } = await send(port, path, JSON.stringify(body), token).catch((error: Error) => {
    throw new NotReached(t('cli.errors.notResponding', { port, reason: error.message }));
  });
  const answer = parsed(text);
  if (status === 200) return answer;
  const failure = controlFailure.safeParse(answer);
  if (!failure.success) throw new ControlError('refused', t('cli.errors.notLarder', { port }));
  throw new ControlError(failure.data.code, failure.data.error, failure.data.field);
}

/** Not with `fetch`, which times out after five minutes: the doctor may need longer for a full disk. */
function send(port: number, path: string, body: string, token?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      agent: false,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      // Before authentication it may be another program that never replies.
      ...(token === undefined ? { signal: AbortSignal.timeout(TIMEOUT) } : {}),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
