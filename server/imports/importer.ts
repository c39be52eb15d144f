import { ApiError, type ErrorCode } from '../http/errors.ts';
import type { ImportContext } from './context.ts';
import type { ImportRecord } from './imports.ts';
import { runImport } from './run-import.ts';

/** Milliseconds after which an import gives way to those of other accounts. Reading the archives again takes a few minutes at most. */
const TURN = 30 * 60_000;

/** Works on imports in the background, one at a time, those of several accounts in turns. The queue is in the database, so it continues after a restart. */
export interface Importer {
  start(): void;
  /** Looks for work, after an import was added or resumed. */
  wake(): void;
  /** Ends the work on an import soon. Its state is another one by then. */
  interrupt(id: number): void;
  /** What is being imported goes on after the next start. */
  stop(): Promise<void>;
}

export function createImporter(context: ImportContext): Importer {
  const { imports, clock, log } = context;
  const stopping = new AbortController();
  let current: { readonly id: number; readonly controller: AbortController } | null = null;
  let running: Promise<void> | null = null;
  let isWoken = false;

  async function work(record: ImportRecord): Promise<void> {
    if (!(await imports.setState(record.id, 'running', ['waiting', 'running']))) return;
    const controller = new AbortController();
    current = { id: record.id, controller };
    const signal = AbortSignal.any([controller.signal, stopping.signal]);
    const began = clock.now();
    const mayGoOn = async () => clock.now() - began < TURN || !(await imports.giveWay(record.id));
    try {
      if (await runImport(context, record, signal, mayGoOn)) await imports.setState(record.id, 'done', ['running']);
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      if (failure === 'internal_error') log.error({ err: error, import: record.id }, 'an import failed');
      await imports.setState(record.id, 'failed', ['running'], failure);
    } finally {
      current = null;
    }
  }

  async function workOnAll(): Promise<void> {
    try {
      while (!stopping.signal.aborted) {
        isWoken = false;
        const record = await imports.next();
        if (record !== null) await work(record);
        else if (!isWoken) return;
      }
    } catch (error) {
      // It is looked for again when an import is added or resumed, or the server starts.
      if (!stopping.signal.aborted) log.error({ err: error }, 'failed to work on imports');
    }
  }

  function wake(): void {
    isWoken = true;
    if (stopping.signal.aborted) return;
    running ??= workOnAll().finally(() => {
      running = null;
    });
  }

  return {
    start: wake,
    wake,
    interrupt(id) {
      if (current?.id === id) current.controller.abort();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function failureOf(error: unknown): ErrorCode {
  return error instanceof ApiError ? error.code : 'internal_error';
}
