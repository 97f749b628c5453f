import { useText } from '../i18n/text.ts';
import { callLink } from '../runs/navigation-links.ts';
import { sessionStore } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { OutsideLink } from './controls.tsx';

/** Nothing when the operator has set no number. */
export function CallOperator() {
  const { t } = useText();
  const phone = useStore(sessionStore)?.operatorPhone;
  if (!phone) return null;
  return (
    <OutsideLink href={callLink(phone)} icon="phone">
      {t.app.callOperator}
    </OutsideLink>
  );
}
