import { useEffect } from 'react';
import { earningsStore, refreshEarnings } from '../../earnings/earnings.ts';
import { monthOf } from '../../earnings/months.ts';
import { useText } from '../../i18n/text.ts';
import { Link } from '../../parts/controls.tsx';
import { runsStore } from '../../runs/runs.ts';
import { useStore } from '../../state/store.ts';
import { useNow } from '../../state/use-now.ts';

const MINUTE_MS = 60_000;

export function EarnedToday() {
  const { t, format } = useText();
  const now = useNow(MINUTE_MS);
  const runs = useStore(runsStore);
  const earnings = useStore(earningsStore);
  const month = monthOf(now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that ends may have been paid
  useEffect(() => void refreshEarnings(month), [month, runs.length]);
  const today = format.date(new Date(now));
  const entries = earnings?.month === month ? earnings.entries : null;
  const earned = entries?.filter(({ at }) => format.date(at) === today).reduce((sum, { amount }) => sum + amount, 0);
  return (
    <Link to="/earnings" className="earned">
      <span>{t.home.earned}</span>
      <strong aria-busy={earned === undefined}>{earned === undefined ? '…' : format.money(earned)}</strong>
    </Link>
  );
}
