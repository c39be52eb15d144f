import { EventEmitter } from 'node:events';

/** What lower floors tell higher ones. A listener's failure never reaches the teller. */
export interface LarderEvents {
  'settings.changed': { keys: readonly string[] };
  'account.created': { accountId: number; username: string };
  'account.deactivated': { accountId: number; reason: string };
  'account.activated': { accountId: number };
  'account.changed': { accountId: number; fields: readonly string[] };
  'password.changed': { accountId: number; address: string };
  'two-step.changed': { accountId: number; enabled: boolean; address: string };
  'recovery-codes.renewed': { accountId: number; address: string };
  'profile.changed': { accountId: number; fields: readonly string[]; address: string };
  'session.ended': { accountId: number; address: string };
  'login.succeeded': { accountId: number; address: string };
  'login.failed': { username: string; address: string; accountId: number | null };
  'client.changed': { clientId: string; name: string; fields: readonly string[] };
  'client.added': { clientId: string; name: string };
  'authorization.revoked': { authorizationId: number; reason: string };
  'folder.created': FileEvent;
  'file.created': FileEvent;
  'file.overwritten': FileEvent;
  'item.moved': FileEvent & { from: string };
  'item.trashed': FileEvent;
  'item.removed': FileEvent;
}

interface FileEvent {
  accountId: number;
  homeId: string;
  itemId: number;
  path: string;
}

export interface Events {
  emit<Name extends keyof LarderEvents>(name: Name, payload: LarderEvents[Name]): void;
  /** Returns the function that ends the subscription. */
  on<Name extends keyof LarderEvents>(name: Name, listener: (payload: LarderEvents[Name]) => void): () => void;
}

export function createEvents(onListenerError: (error: unknown, name: string) => void): Events {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(100);
  return {
    emit(name, payload) {
      for (const listener of emitter.listeners(name)) {
        try {
          listener(payload);
        } catch (error) {
          onListenerError(error, name);
        }
      }
    },
    on(name, listener) {
      emitter.on(name, listener);
      return () => emitter.off(name, listener);
    },
  };
}
