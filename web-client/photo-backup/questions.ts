// Questions to the server, which are asked again until it answers.

import { base } from '../files/page.ts';
import { submitForm } from '../files/requests.ts';
import { checkSignIn, signIn } from '../files/uploads/upload-adapter.ts';
import { asRequestError, RequestError } from '../lib/requests.ts';
import { sleep } from '../lib/schedule.ts';
import { delayAfter, isTemporary } from '../upload/backoff.ts';

/** Files of one question. */
const BATCH = 500;

export interface Asking {
  readonly signal: AbortSignal;
  /** Called when the server does not answer, or the user is signed out, and when that is over. */
  readonly onTrouble: (trouble: 'no-answer' | 'signed-out' | null) => void;
}

type Question = 'missing' | 'receipt' | 'names';

/**
 * Asks about many files, some at a time.
 * @param field of the answer @returns its entries @throws RequestError, or the reason of the signal
 */
export async function askAll(
  question: Question,
  path: string,
  items: readonly object[],
  field: string,
  asking: Asking,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    const text = JSON.stringify(items.slice(start, start + BATCH));
    const answer = (await ask(question, path, text, asking))[field];
    if (Array.isArray(answer)) found.push(...answer);
  }
  return found;
}

async function ask(question: Question, path: string, items: string, { signal, onTrouble }: Asking) {
  for (let attempts = 0; ; attempts += 1) {
    signal.throwIfAborted();
    const answer = await submitForm(`${base}/photo-backup/${question}`, [
      ['path', path],
      ['items', items],
    ]).catch(asRequestError);
    // Cancelled meanwhile: nobody waits for what would follow, and its signal does not come again.
    signal.throwIfAborted();
    if (!(answer instanceof RequestError)) {
      onTrouble(null);
      return answer;
    }
    if (answer.status === 401) {
      signIn.isMissing = true;
      signIn.isSomebodyElse = answer.code === 'somebody_else';
      onTrouble('signed-out');
      await untilSignedIn(signal);
    } else if (isTemporary(answer.status)) {
      onTrouble('no-answer');
      await pause(delayAfter(attempts) * 1_000, signal);
    } else throw answer;
  }
}

/** Ends early when the network is back. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const early = new AbortController();
  const end = () => early.abort();
  addEventListener('online', end);
  signal.addEventListener('abort', end);
  await sleep(milliseconds, early.signal);
  removeEventListener('online', end);
  signal.removeEventListener('abort', end);
}

const waiting = new Set<() => void>();

const untilSignedIn = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      waiting.delete(end);
      resolve();
    };
    waiting.add(end);
    signal.addEventListener('abort', end);
  });

/** Goes on if the user has signed in again. @returns whether nothing waits for that */
export async function goOnIfSignedIn(): Promise<boolean> {
  if (signIn.isMissing && !(await checkSignIn())) return false;
  for (const end of waiting) end();
  return true;
}
