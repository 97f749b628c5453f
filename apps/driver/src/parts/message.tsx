import { type ReactNode, useEffect, useRef } from 'react';
import { playAlert } from '../alerts/alert.ts';
import { Icon, type IconName } from './icon.tsx';

interface MessageProps {
  kind: 'info' | 'good' | 'warning' | 'problem';
  title?: string;
  children?: ReactNode;
}

const ICONS: Record<MessageProps['kind'], IconName> = {
  info: 'clock',
  good: 'check',
  warning: 'warning',
  problem: 'warning',
};

/** A framed message with an icon: colour is never the only sign. */
export function Message({ kind, title, children }: MessageProps) {
  return (
    <div className={`message ${kind}`}>
      <Icon name={ICONS[kind]} />
      <div>
        {title ? <h2>{title}</h2> : null}
        {children}
      </div>
    </div>
  );
}

/** The result of an action: announced to screen readers, with a sound when it is a problem. */
export function Result({ error, children }: { error: string | null; children?: ReactNode }) {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (error !== null && error !== last.current) playAlert('problem');
    last.current = error;
  }, [error]);
  return (
    <div role="alert">
      {error === null ? null : (
        <Message kind="problem">
          <p>{error}</p>
        </Message>
      )}
      {children}
    </div>
  );
}
