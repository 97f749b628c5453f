import { Kbd } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './inbox.module.css';

const KEYS = [
  [['j', '↓'], 'down'],
  [['k', '↑'], 'up'],
  [['Enter'], 'act'],
  [['t'], 'take'],
  [['s'], 'snooze'],
  [['e'], 'resolve'],
  [['?'], 'sheet'],
  [['Esc'], 'close'],
] as const;

/** The sheet of keys. */
export function KeySheet() {
  const { t } = useTranslation('inbox');
  return (
    <dl className={classes.keys}>
      {KEYS.map(([keys, name]) => [
        <dt key={`${name} keys`}>
          {keys.map((key, index) => (
            <span key={key}>
              {index > 0 && ' '}
              <Kbd>{key}</Kbd>
            </span>
          ))}
        </dt>,
        <dd key={name}>{t(`keys.${name}`)}</dd>,
      ])}
    </dl>
  );
}
