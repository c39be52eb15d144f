import type { ControlFailure, Input, MethodName, Output } from '../../server/control/contract/contract.ts';
import type { ControlEventName, ControlPayload } from '../../server/control/contract/events.ts';

/** What the server tells without being asked. */
export type ControlEvent = {
  [Name in ControlEventName]: { readonly name: Name; readonly payload: ControlPayload<Name> };
}[ControlEventName];

/** Whether the server hears us. */
export type Connection =
  | { readonly kind: 'open' }
  /** It does not answer; `retryAt`, in milliseconds since the epoch, is when it is tried again. */
  | { readonly kind: 'lost'; readonly retryAt: number }
  /** It wants a fresh link from us; `message` says so in its words. */
  | { readonly kind: 'locked'; readonly message: string | null };

/** What somebody signs in with. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** A code of two-step sign-in; empty at the first try. */
  readonly otp: string;
}

/** How the panel is opened from another device: by signing in. */
export interface SignInAccess {
  /** @returns whether a code is needed too; otherwise the connection is open @throws Refusal, Unanswered */
  signIn(credentials: Credentials): Promise<{ readonly needsCode: boolean }>;
  /** The connection is locked afterwards, whatever the server says. */
  signOut(): Promise<void>;
}

/** The way to the server, whatever it is made of. */
export interface Transport {
  readonly kind: 'window' | 'browser';
  /** Null on the computer that Larder runs on, where a link opens the panel. */
  readonly access: SignInAccess | null;
  /** @throws Refusal when the server said no, Unanswered when it said nothing */
  invoke<Name extends MethodName>(method: Name, input: Input<Name>): Promise<Output<Name>>;
  /** First how things are, then every change. Returns the function that ends it. */
  subscribe(listener: (event: ControlEvent) => void): () => void;
  readonly connection: {
    current(): Connection;
    /** Told of every change. Returns the function that ends it. */
    subscribe(listener: () => void): () => void;
  };
}

/** A call that was not carried out; the message is one sentence for the owner. */
export class Refusal extends Error {
  readonly failure: ControlFailure;

  constructor(failure: ControlFailure) {
    super(failure.error);
    this.name = 'Refusal';
    this.failure = failure;
  }
}

/** A call of which nobody knows what became of it. */
export class Unanswered extends Error {
  constructor(cause: unknown) {
    super('no answer', { cause });
    this.name = 'Unanswered';
  }
}
