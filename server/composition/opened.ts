import type { Base } from './base.ts';
import type { Files } from './files.ts';
import type { Identity } from './identity.ts';
import type { Sharing } from './sharing.ts';
import type { Storage } from './storage.ts';

/** Everything below what answers requests, by the step that has opened it. */
export interface OpenedParts {
  readonly base: Base;
  readonly storage: Storage;
  readonly identity: Identity;
  readonly files: Files;
  readonly sharing: Sharing;
}
