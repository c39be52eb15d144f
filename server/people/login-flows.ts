import { addressGroup } from '../http/connection/client-address.ts';
import { type Clock, MINUTE } from '../lib/clock.ts';
import { randomToken, tokenHash } from '../lib/random.ts';

/** How long an app waits for the person, and how long what was granted waits for the app. */
const LASTS = 20 * MINUTE;
/** Flows of one address, or of one IPv6 network. */
const MAX_OF_ONE_ADDRESS = 10;
const MOST = 500;
const MAX_DEVICE = 100;

/** An app that waits for a person to sign in with a browser. */
export interface LoginFlow {
  /** What the app says of itself, shortened: its name, or that of its device. */
  readonly device: string;
  /** The address of the app's device. */
  readonly address: string;
  /** The address of this server, as the app uses it. */
  readonly server: string;
}

/** What the app gets at the end. */
interface GrantedLogin {
  readonly server: string;
  readonly username: string;
  /** The app password. */
  readonly password: string;
}

/**
 * Sign-in of apps by way of a browser (Nextcloud's Login Flow v2): the app gets an address for the browser and a token of its own,
 * with which it asks until the person has agreed. In memory only: an app whose flow is gone begins another one.
 */
export interface LoginFlows {
  /** Whether such apps can connect now. */
  readonly isEnabled: () => boolean;
  /** @returns the secret in the browser's address, and the token of the app; null for an address with too many flows */
  begin(flow: LoginFlow): { readonly secret: string; readonly token: string } | null;
  /** @returns null for a flow that has ended, or that never was */
  find(secret: string): LoginFlow | null;
  /** The person agrees. @returns false when the flow has ended meanwhile */
  grant(secret: string, granted: Pick<GrantedLogin, 'username' | 'password'>): boolean;
  /** @returns what was granted, only once; null before that, and for an unknown token */
  collect(token: string): GrantedLogin | null;
}

interface Waiting extends LoginFlow {
  readonly token: string;
  readonly endsAt: number;
  granted: GrantedLogin | null;
}

/** @param isEnabled whether such apps can connect now: otherwise there are no flows */
export function createLoginFlows(clock: Clock, isEnabled: () => boolean): LoginFlows {
  /** By the hashes of their secrets, the oldest first. */
  const flows = new Map<string, Waiting>();
  const hashed = (secret: string) => tokenHash(secret).toString('base64');

  function dropEnded(): void {
    for (const [key, { endsAt }] of flows) if (endsAt <= clock.now() || !isEnabled()) flows.delete(key);
  }

  function waiting(secret: string): Waiting | null {
    dropEnded();
    const flow = flows.get(hashed(secret));
    return flow === undefined || flow.granted !== null ? null : flow;
  }

  return {
    isEnabled,

    begin({ device, address, server }) {
      dropEnded();
      const group = addressGroup(address);
      const ofGroup = [...flows.values()].filter((flow) => addressGroup(flow.address) === group);
      if (ofGroup.length >= MAX_OF_ONE_ADDRESS || flows.size >= MOST) return null;
      const [secret, token] = [randomToken(), randomToken()];
      flows.set(hashed(secret), {
        ...{ device: device.slice(0, MAX_DEVICE), address, server },
        ...{ token: hashed(token), endsAt: clock.now() + LASTS, granted: null },
      });
      return { secret, token };
    },

    find: waiting,

    grant(secret, { username, password }) {
      const flow = waiting(secret);
      if (flow === null) return false;
      flow.granted = { server: flow.server, username, password };
      return true;
    },

    collect(token) {
      dropEnded();
      const requested = hashed(token);
      const found = [...flows].find(([, flow]) => flow.token === requested);
      if (found === undefined || found[1].granted === null) return null;
      flows.delete(found[0]);
      return found[1].granted;
    },
  };
}
