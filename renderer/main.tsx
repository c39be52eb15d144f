import '@mantine/core/styles.layer.css';
import './base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserPanel } from './browser-panel.tsx';
import { ControlProvider } from './control/control.tsx';
import { DesktopProvider } from './control/desktop.tsx';
import { createQueries } from './control/queries.ts';
import { Broken } from './states/broken.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme, variablesOf } from './theme.ts';
import { browserTransport } from './transport/browser-transport.ts';
import { takeSecret } from './transport/opening-link.ts';
import { desktopOf, windowTransport } from './transport/window-transport.ts';
import { WindowPanel } from './window-panel.tsx';

const queries = createQueries();

function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variablesOf}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}

async function inWindow(bridge: NonNullable<Window['larder']>): Promise<ReactNode> {
  return (
    <ControlProvider transport={windowTransport(bridge)}>
      <DesktopProvider desktop={desktopOf(bridge)}>
        <Broken>
          <WindowPanel />
        </Broken>
      </DesktopProvider>
    </ControlProvider>
  );
}

/** Milliseconds without input after which the page counts as unattended, because pages also send requests by themselves. */
const IDLE_AFTER = 60_000;

function attendance(): () => boolean {
  let lastTouched = performance.now();
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    addEventListener(kind, () => (lastTouched = performance.now()), { passive: true, capture: true });
  }
  return () => performance.now() - lastTouched < IDLE_AFTER;
}

async function inBrowser(): Promise<ReactNode> {
  const { origin, pathname, protocol } = location;
  // On the network it is served below the root of the server, and only over HTTPS.
  const root = `${origin}${pathname.replace(/\/[^/]*$/, '')}`;
  const isRemote = protocol === 'https:';
  const transport = browserTransport({
    origin: root,
    isRemote,
    isAttended: attendance(),
    storage: sessionStorage,
    // On plain HTTP every tab has a link of its own.
    ...(isRemote ? { lastingStorage: localStorage } : {}),
  });
  const secret = takeSecret(null);
  if (secret !== null) await transport.openLink(secret);
  addEventListener('hashchange', ({ oldURL }) => {
    const fresh = takeSecret(oldURL.replace(/^[^#]*/, ''));
    if (fresh !== null) void transport.openLink(fresh);
  });
  return (
    <ControlProvider transport={transport}>
      <Broken>
        <BrowserPanel />
      </Broken>
    </ControlProvider>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('There is no place for the panel in this page.');
const content = await (window.larder === undefined ? inBrowser() : inWindow(window.larder));
createRoot(root).render(<Providers>{content}</Providers>);
