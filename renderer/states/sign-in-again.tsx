import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import type { SignInAccess } from '../transport/transport.ts';
import { SignIn } from './sign-in.tsx';
import styles from './sign-in-again.module.css';

// Escape would close what is open below, with what is typed there. Heard before anything that comes into the page later.
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
 * Over everything, when the session has ended with the panel open: what is typed below and not saved is still there afterwards.
 * The browser keeps everything below from eyes, keys and readers of the screen.
 */
export function SignInAgain({ access }: { readonly access: SignInAccess }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const show = () => {
    if (dialog.current?.open === false) dialog.current.showModal();
  };
  useEffect(show);
  return (
    <dialog ref={dialog} className={styles.over} aria-label={t('signIn.heading')} onClose={show}>
      <SignIn access={access} lead={t('signIn.ended')} />
    </dialog>
  );
}
