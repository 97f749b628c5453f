import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { CallOperator } from '../../parts/call-operator.tsx';
import { Button } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useLoad } from '../../state/use-load.ts';
import { readDiagnosis } from './read-diagnosis.ts';

/** Numbered lines, so that the operator can ask for one over the phone. */
export function DiagnosisPage() {
  const { t, format, language } = useText();
  const [isCopied, setCopied] = useState(false);
  const { data, again, isLoading } = useLoad(language, () => readDiagnosis(t.diagnosis.values, format.number));
  const lines = data ?? [];

  async function copy() {
    const text = lines.map(({ name, value }, i) => `${i + 1}. ${t.diagnosis.lines[name]}: ${value}`).join('\n');
    await navigator.clipboard.writeText(text);
    setCopied(true);
  }

  return (
    <Screen title={t.diagnosis.title} back="/settings">
      <p>{t.diagnosis.intro}</p>
      <CallOperator />
      <ol className="diagnosis" aria-busy={isLoading}>
        {lines.map(({ name, value, isGood }) => (
          <li key={name} className={isGood ? 'good' : 'check'}>
            <span>
              <strong>{t.diagnosis.lines[name]}</strong>
              <span>{value}</span>
            </span>
            <span className="verdict">
              <Icon name={isGood ? 'check' : 'warning'} />
              {isGood ? t.diagnosis.ok : t.diagnosis.warning}
            </span>
          </li>
        ))}
      </ol>
      <div className="buttons">
        <Button onClick={() => void copy()}>{isCopied ? t.diagnosis.copied : t.diagnosis.copy}</Button>
        <Button onClick={again}>{t.app.retry}</Button>
      </div>
    </Screen>
  );
}
