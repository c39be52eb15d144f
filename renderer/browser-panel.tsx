import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../server/control/contract/contract.ts';
import { useConnection, useTransport } from './control/control.tsx';
import { RunningPanel } from './running-panel.tsx';
import { Locked } from './states/locked.tsx';
import { SignIn } from './states/sign-in.tsx';
import { SignInAgain } from './states/sign-in-again.tsx';
import type { SignInAccess } from './transport/transport.ts';

/** The panel in a browser: opened with a link on Larder's own computer, or after signing in from another one. */
export function BrowserPanel() {
  const { access } = useTransport();
  return access === null ? <ByLink /> : <BySignIn access={access} />;
}

/** The panel itself reports that it needs a new link, because it may have unsaved changes. */
function ByLink() {
  const connection = useConnection();
  const wasOpen = useQueryClient().getQueryData<Output<'status'>>(['status', {}])?.hasOwner === true;
  if (connection.kind !== 'locked' || wasOpen) return <RunningPanel />;
  return <Locked message={connection.message} />;
}

/** After a session expired, the panel stays in place below a new sign-in form. */
function BySignIn({ access }: { readonly access: SignInAccess }) {
  const connection = useConnection();
  const isOpen = connection.kind !== 'locked';
  const [wasOpen, setWasOpen] = useState(isOpen);
  // Signing out must leave nothing behind; for an expired session the server gives the reason.
  const hasSignedOut = connection.kind === 'locked' && connection.message === null;
  if (wasOpen !== isOpen && (isOpen || hasSignedOut)) setWasOpen(isOpen);
  // The panel is below the start page, whatever the prefix of the installation.
  if (!isOpen && !wasOpen) return <SignIn access={access} back="../" />;
  return (
    <>
      <RunningPanel />
      {!isOpen && <SignInAgain access={access} />}
    </>
  );
}
