import type { FilesContext } from '../files/context.ts';
import type { Protocol } from '../http/front-end.ts';
import type { TusContext } from '../tus/exchange.ts';
import { createTus } from '../tus/protocol.ts';
import { tidyRecords } from '../tus/records.ts';

export interface TusParts extends Pick<TusContext, 'homes' | 'basePath' | 'authenticate' | 'onCall'> {
  readonly files: FilesContext;
}

/** Composes the resumable upload protocol tus. */
export function composeTus({ files, ...parts }: TusParts): { protocol: Protocol; tidy: () => Promise<void> } {
  return {
    protocol: createTus({ ...files, ...parts }),
    /** Runs once an hour. */
    tidy: () => tidyRecords(files.database, files.clock.now()),
  };
}
