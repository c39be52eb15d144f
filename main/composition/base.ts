import type { DesktopLog } from '../log.ts';
import type { LoginStart } from '../login.ts';
import type { DesktopSettings } from '../settings.ts';
import type { UnexpectedErrors } from '../unexpected.ts';

/** What every part of the application is opened with. */
export interface Base {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly platform: NodeJS.Platform;
  readonly argv: readonly string[];
  /** The folder of the application's own log. */
  readonly logs: string;
  readonly log: DesktopLog;
  readonly unexpected: UnexpectedErrors;
  readonly settings: DesktopSettings;
  readonly login: LoginStart;
}
