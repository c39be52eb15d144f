import { EventEmitter } from 'node:events';

// What an application asks of the system around it. What was asked is kept, for tests to look at.

let clipboardText = '';

export const clipboard = {
  writeText(text: string): void {
    clipboardText = text;
  },
  readText: (): string => clipboardText,
};

interface MessageBoxOptions {
  readonly message: string;
  readonly buttons?: readonly string[];
  readonly cancelId?: number;
}

export const dialog = {
  showErrorBox(_title: string, _content: string): void {},
  /** Somebody presses Esc. */
  async showMessageBox(...args: unknown[]): Promise<{ response: number; checkboxChecked: boolean }> {
    const { cancelId = 0 } = args.at(-1) as MessageBoxOptions;
    return { response: cancelId, checkboxChecked: false };
  },
  showOpenDialog: async (..._args: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> => ({
    canceled: true,
    filePaths: [],
  }),
  showSaveDialog: async (..._args: unknown[]): Promise<{ canceled: boolean; filePath: string }> => ({
    canceled: true,
    filePath: '',
  }),
};

export const shell = {
  openExternal: async (_url: string): Promise<void> => undefined,
  openPath: async (_path: string): Promise<string> => '',
};

export class Notification extends EventEmitter {
  static readonly all: Notification[] = [];
  static isSupported = (): boolean => true;
  readonly title: string;
  readonly body: string;

  constructor({ title = '', body = '' }: { title?: string; body?: string }) {
    super();
    this.title = title;
    this.body = body;
  }
  show(): void {
    Notification.all.push(this);
  }
}

class PowerMonitor extends EventEmitter {
  onBatteryPower = false;
  isOnBatteryPower(): boolean {
    return this.onBatteryPower;
  }
}

export const powerMonitor = new PowerMonitor();

const blockers = new Set<number>();
let nextBlocker = 1;

export const powerSaveBlocker = {
  start(_type: string): number {
    blockers.add(nextBlocker);
    return nextBlocker++;
  },
  stop: (id: number): boolean => blockers.delete(id),
  isStarted: (id: number): boolean => blockers.has(id),
};
