import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import type { SignInAccess } from '../transport/transport.ts';
import { SignIn } from './sign-in.tsx';
import styles from './sign-in-again.module.css';

// Escape would close dialogs below, with their input. Registered before any other listener.
addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || document.querySelector(`dialog.${styles.over}[open]`) === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

/**
 * Covers the panel when the session has ended; unsaved input below stays. The modal dialog hides everything below from view,
 * keyboard and screen readers.
 */
export function SignInAgain({ access }: { readonly access: SignInAccess }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const show = () => {
    if (dialog.current?.open === false) dialog.current.showModal();
  };
  useEffect(show);
  return (
    <dialog ref={dialog} className={styles.over} aria-label={t('panelSignIn.heading')} onClose={show}>
      <SignIn access={access} lead={t('panelSignIn.ended')} />
    </dialog>
  );
}
