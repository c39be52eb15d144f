import type { Output } from '../../server/control/contract/contract.ts';
import type {
  DesktopState,
  WindowBridge,
  WindowInput,
  WindowMethodName,
  WindowOutput,
} from '../../server/control/contract/window.ts';
import { Refusal, type Transport, Unanswered } from './transport.ts';

declare global {
  interface Window {
    /** Only in the window of the desktop application. */
    readonly larder?: WindowBridge;
  }
}

/** The application around the window: its folder, its server, and its settings. */
export interface Desktop {
  /** @throws Refusal */
  invoke<Name extends WindowMethodName>(method: Name, input: WindowInput<Name>): Promise<WindowOutput<Name>>;
  /** Calls the listener with the present state, then with every change. Returns the function that unsubscribes. */
  subscribe(listener: (state: DesktopState) => void): () => void;
}

const OPEN = { kind: 'open' } as const;

/**
 * A transport through the application. It exists as long as the window; the server's state is part of the application's state.
 */
export function windowTransport(bridge: WindowBridge): Transport {
  return {
    kind: 'window',
    access: null,
    invoke: async (method, input) => (await ask(bridge, method, input)) as Output<typeof method>,
    subscribe: (listener) =>
      bridge.subscribe((event) => {
        if (event.name !== 'desktop.state') listener(event);
      }),
    connection: { current: () => OPEN, subscribe: () => () => undefined },
  };
}

export function desktopOf(bridge: WindowBridge): Desktop {
  return {
    invoke: async (method, input) => (await ask(bridge, method, input)) as WindowOutput<typeof method>,
    subscribe: (listener) =>
      bridge.subscribe((event) => {
        if (event.name === 'desktop.state') listener(event.payload);
      }),
  };
}

async function ask(bridge: WindowBridge, method: string, input: unknown): Promise<unknown> {
  const reply = await bridge.invoke(method, input).catch((error) => {
    throw new Unanswered(error);
  });
  if ('failure' in reply) throw new Refusal(reply.failure);
  return reply.output;
}
