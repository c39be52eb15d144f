import { foundation } from './0001-foundation.ts';
import { versionsAndUploads } from './0002-versions-and-uploads.ts';
import { webFlows } from './0003-web-flows.ts';
import { pictures } from './0006-pictures.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [foundation, versionsAndUploads, webFlows, pictures];
