import { Worker } from 'node:worker_threads';
import { ApiError } from '../../http/errors.ts';
import { FairQueue, QueueFull } from '../../lib/concurrency/fair-queue.ts';
import { entryPoint } from '../../lib/program-files.ts';
import { t } from '../../messages/messages.ts';
import type { PasswordReply, PasswordTask } from './password-protocol.ts';

/** About 35 are done per second. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 3;

/**
 * Hashes and verifies passwords, one at a time, in a separate thread. Both are slow by design and available to anyone who can
 * reach the server; in libuv's thread pool they would delay downloads.
 */
class PasswordWorker {
  readonly #queue = new FairQueue(MAX_WAITING);
  #worker: Worker | null = null;

  /**
   * @param from the requester, for fairness
   * @throws ApiError `too_many_requests`
   */
  async do(task: PasswordTask, from: string): Promise<string | boolean> {
    const reply = await this.#queue
      .run(from, () => this.#ask(task))
      .catch((error) => {
        if (!(error instanceof QueueFull)) throw error;
        throw new ApiError('too_many_requests', t('api.passwords.busy'), {
          headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
        });
      });
    if (!reply.ok) throw new Error(reply.message);
    return reply.value;
  }

  #ask(task: PasswordTask): Promise<PasswordReply> {
    this.#worker ??= new Worker(entryPoint('password-thread'));
    const worker = this.#worker;
    worker.ref();
    return new Promise((resolve, reject) => {
      const settled = () => {
        worker.off('message', onReply).off('error', onEnd).off('exit', onEnd);
        // An idle thread must not keep the process alive.
        worker.unref();
      };
      const onReply = (reply: PasswordReply) => {
        settled();
        resolve(reply);
      };
      const onEnd = (cause: unknown) => {
        settled();
        if (this.#worker === worker) this.#worker = null;
        reject(new Error('the thread for passwords ended', { cause }));
      };
      worker.on('message', onReply).on('error', onEnd).on('exit', onEnd);
      worker.postMessage(task);
    });
  }
}

export const passwordWorker = new PasswordWorker();
