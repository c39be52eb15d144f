import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { App } from 'electron';

/** The argument of an automatic start at login: without a window. */
export const HIDDEN = '--hidden';

/** Whether the application starts at login. */
export interface LoginStart {
  /** Null if not supported. */
  readonly isOn: boolean | null;
  /** @throws Error when the system refuses */
  set(isOn: boolean): void;
}

interface LoginStartParts {
  readonly app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** The user's home folder. */
  readonly home: string;
  readonly executable: string;
}

/** A development build cannot be started by the system. */
export function loginStart(parts: LoginStartParts): LoginStart {
  if (!parts.app.isPackaged) return { isOn: null, set: () => undefined };
  return parts.platform === 'linux' ? autostartFile(parts) : loginItem(parts);
}

function loginItem({ app }: LoginStartParts): LoginStart {
  return {
    get isOn() {
      return app.getLoginItemSettings({ args: [HIDDEN] }).openAtLogin;
    },
    set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn, args: [HIDDEN] }),
  };
}

/** freedesktop.org, Desktop Application Autostart Specification. */
function autostartFile({ environment, home, executable }: LoginStartParts): LoginStart {
  const file = join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', 'larder.desktop');
  // An AppImage is extracted to a different folder at every start.
  const program = environment.APPIMAGE || executable;
  return {
    get isOn() {
      try {
        return !/^Hidden=true$/m.test(readFileSync(file, 'utf8'));
      } catch {
        return false;
      }
    },
    set(isOn) {
      if (!isOn) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, entry(program));
    },
  };
}

function entry(program: string): string {
  const lines = ['[Desktop Entry]', 'Type=Application', 'Name=Larder', `Exec=${quoted(program)} ${HIDDEN}`];
  return `${[...lines, 'Terminal=false', 'X-GNOME-Autostart-enabled=true'].join('\n')}\n`;
}

/** Desktop Entry Specification, "The Exec key". A backslash is escaped twice: for the string, and for the quotes. */
function quoted(program: string): string {
  const inQuotes = program.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${inQuotes.replaceAll('\\', '\\\\')}"`;
}
