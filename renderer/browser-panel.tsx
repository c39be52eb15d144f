import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useConnection, useTransport } from './control/control.tsx';
import { RunningPanel } from './running-panel.tsx';
import { Locked } from './states/locked.tsx';
import { SignIn } from './states/sign-in.tsx';
import { SignInAgain } from './states/sign-in-again.tsx';

/** What a browser shows. */
export function BrowserPanel() {
  const connection = useConnection();
  const { access } = useTransport();
  const queries = useQueryClient();
  const isOpen = connection.kind !== 'locked';
  const [wasOpen, setWasOpen] = useState(isOpen);
  // Whoever signs out wants nothing of it to stay; the server says why it ended by itself.
  const hasSignedOut = connection.kind === 'locked' && connection.message === null;
  if (wasOpen !== isOpen && (isOpen || hasSignedOut)) setWasOpen(isOpen);

  // What went on meanwhile is asked for when it is open again.
  const wasAsking = useRef(isOpen);
  useEffect(() => {
    if (isOpen && !wasAsking.current) void queries.invalidateQueries();
    wasAsking.current = isOpen;
  }, [isOpen, queries]);

  if (access === null) return connection.kind === 'locked' ? <Locked message={connection.message} /> : <RunningPanel />;
  if (!isOpen && !wasOpen) return <SignIn access={access} />;
  return (
    <>
      <RunningPanel />
      {!isOpen && <SignInAgain access={access} />}
    </>
  );
}
