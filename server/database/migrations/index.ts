import { foundation } from './0001-foundation.ts';
import { versionsAndUploads } from './0002-versions-and-uploads.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [foundation, versionsAndUploads];
