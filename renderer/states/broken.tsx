import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import { texts } from '../texts/texts.ts';
import { Buttons, StateScreen } from './state-screen.tsx';

const words = texts.broken;

/** Where a page of the panel fails by a fault of its own: says so, in place of nothing at all. */
export class Broken extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <StateScreen heading={words.heading} lead={words.lead} badge={IconAlertTriangle}>
        <p>
          <code>{error.message}</code>
        </p>
        <Buttons>
          <ActionButton onClick={() => location.reload()}>{words.again}</ActionButton>
          <CopyButton text={`${error.message}\n${error.stack ?? ''}`} word={words.copy} />
        </Buttons>
      </StateScreen>
    );
  }
}
