import type { ControlFailure, Input, MethodName, Output } from '../../server/control/contract/contract.ts';
import type { ControlEventName, ControlPayload } from '../../server/control/contract/events.ts';

/** The events of the server. */
export type ControlEvent = {
  [Name in ControlEventName]: { readonly name: Name; readonly payload: ControlPayload<Name> };
}[ControlEventName];

/** The state of the connection. */
export type Connection =
  | { readonly kind: 'open' }
  /** The server does not respond; `retryAt`, in milliseconds since the epoch, is the time of the next try. */
  | { readonly kind: 'lost'; readonly retryAt: number }
  /** A new link is needed; `message` is the server's explanation. */
  | { readonly kind: 'locked'; readonly message: string | null };

/** The input of a sign-in. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** A code of two-step sign-in; empty at the first try. */
  readonly otp: string;
}

/** Opens the panel from another device by signing in. */
export interface SignInAccess {
  /** @returns whether a code is needed too; otherwise the connection is open @throws Refusal, Unanswered */
  signIn(credentials: Credentials): Promise<{ readonly needsCode: boolean }>;
  /** The connection is locked afterwards, whatever the server replies. */
  signOut(): Promise<void>;
}

/** The connection to the server, of any kind. */
export interface Transport {
  readonly kind: 'window' | 'browser';
  /** Null on Larder's own computer, where a link opens the panel. */
  readonly access: SignInAccess | null;
  /** @throws Refusal for an error reply, Unanswered without a reply */
  invoke<Name extends MethodName>(method: Name, input: Input<Name>): Promise<Output<Name>>;
  /** Calls the listener with the present state, then with every change. Returns the function that unsubscribes. */
  subscribe(listener: (event: ControlEvent) => void): () => void;
  readonly connection: {
    current(): Connection;
    /** Calls the listener with every change. Returns the function that unsubscribes. */
    subscribe(listener: () => void): () => void;
  };
}

/** A refused call; the message is one sentence for the owner. */
export class Refusal extends Error {
  readonly failure: ControlFailure;

  constructor(failure: ControlFailure) {
    super(failure.error);
    this.name = 'Refusal';
    this.failure = failure;
  }
}

/** A call with an unknown result. */
export class Unanswered extends Error {
  constructor(cause: unknown) {
    super('no answer', { cause });
    this.name = 'Unanswered';
  }
}
