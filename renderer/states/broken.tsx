import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import { Buttons, StateScreen } from './state-screen.tsx';

/** An error boundary: shows a message instead of an empty page. */
export class Broken extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <StateScreen heading={t('broken.heading')} lead={t('broken.lead')} badge={IconAlertTriangle}>
        <p>
          <code>{error.message}</code>
        </p>
        <Buttons>
          <ActionButton onClick={() => location.reload()}>{t('broken.again')}</ActionButton>
          <CopyButton text={`${error.message}\n${error.stack ?? ''}`} word={t('broken.copy')} />
        </Buttons>
      </StateScreen>
    );
  }
}
