import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aliveProcesses } from './utility.ts';

// `app`: ready when its program has run to its end, one for each user, asked before it quits.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};

/** An event that can be kept from what follows it. */
export class Preventable {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

export interface Closable {
  close(): void;
}

class App extends EventEmitter {
  /** Windows that are open, the last one last. */
  readonly windows = new Set<Closable>();
  readonly isPackaged = process.env.STAND_IN_PACKAGED === '1';
  isSandboxed = false;
  isRelaunched = false;
  /** With what arguments, if they differ from the present ones. */
  relaunchArgs: readonly string[] | null = null;
  /** Until all windows are closed, or one is not. */
  #isQuitting = false;
  #makeReady: () => void = () => undefined;
  readonly #ready: Promise<void>;
  #isReady = false;
  #lock: string | null = null;

  constructor() {
    super();
    this.#ready = new Promise((resolve) => {
      this.#makeReady = resolve;
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => this.quit());
  }

  /** The program has run to its end. */
  start(): void {
    this.#isReady = true;
    this.#makeReady();
    this.emit('ready');
  }

  isReady = (): boolean => this.#isReady;
  whenReady = (): Promise<void> => this.#ready;
  getName = (): string => name;
  getVersion = (): string => version;
  getAppPath = (): string => ROOT;
  setAppUserModelId = (_id: string): void => undefined;
  disableHardwareAcceleration = (): void => undefined;
  enableSandbox(): void {
    if (this.#isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
    this.isSandboxed = true;
  }

  getPath(what: string): string {
    const { HOME = homedir(), XDG_CONFIG_HOME = join(HOME, '.config') } = process.env;
    const userData = join(XDG_CONFIG_HOME, name);
    const paths: Record<string, string> = {
      home: HOME,
      userData,
      logs: join(userData, 'logs'),
      documents: join(HOME, 'Documents'),
      downloads: join(HOME, 'Downloads'),
      exe: process.execPath,
    };
    const path = paths[what];
    if (path === undefined) throw new Error(`no such path: ${what}`);
    return path;
  }

  requestSingleInstanceLock(): boolean {
    const folder = this.getPath('userData');
    const file = join(folder, 'SingletonLock');
    mkdirSync(folder, { recursive: true });
    for (;;) {
      try {
        writeFileSync(file, String(process.pid), { flag: 'wx' });
        break;
      } catch {
        if (this.#tellOther(Number(readFileSync(file, 'utf8')))) return false;
        rmSync(file, { force: true });
      }
    }
    this.#lock = file;
    process.on('SIGUSR2', () => this.emit('second-instance', {}, [], '', null));
    return true;
  }

  #tellOther(pid: number): boolean {
    try {
      return process.kill(pid, 'SIGUSR2');
    } catch {
      return false;
    }
  }

  getAppMetrics = () =>
    aliveProcesses().map(({ pid, serviceName }) => ({ pid, type: 'Utility', name: serviceName, serviceName }));
  getLoginItemSettings = () => ({ openAtLogin: false, wasOpenedAtLogin: false });
  setLoginItemSettings = (): void => undefined;

  quit(): void {
    const before = new Preventable();
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.#isQuitting = true;
    if (this.windows.size === 0) this.#end();
    for (const window of this.windows) window.close();
  }

  /** A window has stayed open, whether it asked its page or not. */
  quitCancelled(): void {
    this.#isQuitting = false;
  }

  #end(): void {
    this.emit('will-quit', new Preventable());
    this.exit(0);
  }

  relaunch({ args }: { readonly args?: readonly string[] } = {}): void {
    this.isRelaunched = true;
    this.relaunchArgs = args ?? null;
  }

  setPath = (_what: string, _path: string): void => undefined;

  exit(code = 0): void {
    this.emit('quit', {}, code);
    if (this.#lock !== null) rmSync(this.#lock, { force: true });
    process.exit(code);
  }

  windowClosed(window: Closable): void {
    this.windows.delete(window);
    if (this.windows.size > 0) return;
    if (this.#isQuitting) this.#end();
    else if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }
}

export const app = new App();
