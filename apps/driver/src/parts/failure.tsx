import { Component, type ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { Button } from './controls.tsx';
import { Message } from './message.tsx';

/** Shows a way out when a page fails. The outbox is in the database and is not affected. */
export class FailureBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <Failed /> : this.props.children;
  }
}

function Failed() {
  const { t } = useText();
  return (
    <div className="screen">
      <main>
        <Message kind="problem">
          <p>{t.app.failed}</p>
        </Message>
        <Button look="main" onClick={() => location.assign('/driver/')}>
          {t.app.reload}
        </Button>
      </main>
    </div>
  );
}
