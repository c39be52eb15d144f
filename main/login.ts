import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { App } from 'electron';

/** What the system starts the application with when its user signs in: without a window. */
export const HIDDEN = '--hidden';

/** Whether the application starts when its user signs in to this computer. */
export interface LoginStart {
  /** Null where it cannot be arranged. */
  readonly isOn: boolean | null;
  /** @throws Error when the system does not take it */
  set(isOn: boolean): void;
}

export interface LoginStartParts {
  readonly app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** The user's own folder. */
  readonly home: string;
  readonly executable: string;
}

/** From a folder of sources there is nothing that the system could start. */
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
  // An AppImage is unpacked anew, to another place, every time it starts.
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
