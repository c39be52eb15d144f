import { EventEmitter } from 'node:events';

// `session` and `protocol`: who answers what pages ask for, and what they may.

type Answer<Value> = (value: Value) => void;
type Handler = (request: Request) => Promise<Response> | Response;
type BeforeRequest = (details: { url: string }, answer: Answer<{ cancel?: boolean }>) => void;

const privileged: { scheme: string }[] = [];

class Session extends EventEmitter {
  readonly handlers = new Map<string, Handler>();
  beforeRequest: BeforeRequest | null = null;
  permissionRequest: ((contents: unknown, permission: string, answer: Answer<boolean>) => void) | null = null;
  permissionCheck: ((contents: unknown, permission: string) => boolean) | null = null;
  devicePermission: (() => boolean) | null = null;
  displayMedia: unknown = null;

  readonly protocol = {
    handle: (scheme: string, handler: Handler): void => {
      if (!privileged.some((one) => one.scheme === scheme)) throw new Error(`${scheme} was not registered in time`);
      this.handlers.set(scheme, handler);
    },
  };
  readonly webRequest = {
    onBeforeRequest: (listener: BeforeRequest): void => {
      this.beforeRequest = listener;
    },
  };

  setPermissionRequestHandler(handler: Session['permissionRequest']): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: Session['permissionCheck']): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: Session['devicePermission']): void {
    this.devicePermission = handler;
  }
  setDisplayMediaRequestHandler(handler: unknown): void {
    this.displayMedia = handler;
  }

  /** As Electron does where nobody has said anything: all is allowed. */
  allows(permission: string): boolean {
    return this.permissionCheck === null || this.permissionCheck(null, permission);
  }

  mayLoad(url: string): Promise<boolean> {
    const { beforeRequest } = this;
    if (beforeRequest === null) return Promise.resolve(true);
    return new Promise((resolve) => beforeRequest({ url }, ({ cancel = false }) => resolve(!cancel)));
  }
}

export type { Session };

const sessions = new Map<string, Session>();
let isStarted = false;

export const session = {
  fromPartition(partition: string): Session {
    isStarted = true;
    const known = sessions.get(partition) ?? new Session();
    sessions.set(partition, known);
    return known;
  },
  get defaultSession(): Session {
    return this.fromPartition('persist:default');
  },
};

export const protocol = {
  registerSchemesAsPrivileged(schemes: { scheme: string }[]): void {
    if (isStarted) throw new Error('too late');
    privileged.push(...schemes);
  },
};
