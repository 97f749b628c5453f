import { useText } from '../i18n/text.ts';

/** Stands for a page or list that is on its way. */
export function Loading() {
  const { t } = useText();
  return (
    <p className="muted" aria-busy="true">
      {t.app.loading}
    </p>
  );
}
