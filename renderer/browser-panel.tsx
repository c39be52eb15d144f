import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../server/control/contract/contract.ts';
import { useConnection, useTransport } from './control/control.tsx';
import { RunningPanel } from './running-panel.tsx';
import { Locked } from './states/locked.tsx';
import { SignIn } from './states/sign-in.tsx';
import { SignInAgain } from './states/sign-in-again.tsx';
import type { SignInAccess } from './transport/transport.ts';

/** What a browser shows: on the computer that Larder runs on, the panel that a link has opened; on another, after signing in. */
export function BrowserPanel() {
  const { access } = useTransport();
  return access === null ? <ByLink /> : <BySignIn access={access} />;
}

/** Where a link had opened it, the panel says itself that it needs a fresh one: something may be typed in it. */
function ByLink() {
  const connection = useConnection();
  const wasOpen = useQueryClient().getQueryData<Output<'status'>>(['status', {}])?.hasOwner === true;
  if (connection.kind !== 'locked' || wasOpen) return <RunningPanel />;
  return <Locked message={connection.message} />;
}

/** A session that ended by itself leaves the panel where it was, below what asks to sign in again. */
function BySignIn({ access }: { readonly access: SignInAccess }) {
  const connection = useConnection();
  const isOpen = connection.kind !== 'locked';
  const [wasOpen, setWasOpen] = useState(isOpen);
  // Whoever signs out wants nothing of it to stay; the server says why it ended by itself.
  const hasSignedOut = connection.kind === 'locked' && connection.message === null;
  if (wasOpen !== isOpen && (isOpen || hasSignedOut)) setWasOpen(isOpen);
  if (!isOpen && !wasOpen) return <SignIn access={access} />;
  return (
    <>
      <RunningPanel />
      {!isOpen && <SignInAgain access={access} />}
    </>
  );
}
