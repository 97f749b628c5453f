import { Kbd } from '@mantine/core';
import classes from './key-sheet.module.css';

/** The keys of a page, each with its effect. */
export function KeySheet({ keys }: { keys: readonly (readonly [keys: readonly string[], effect: string])[] }) {
  return (
    <dl className={classes.keys}>
      {keys.map(([names, effect]) => [
        <dt key={`${effect} keys`}>
          {names.map((name, index) => (
            <span key={name}>
              {index > 0 && ' '}
              <Kbd>{name}</Kbd>
            </span>
          ))}
        </dt>,
        <dd key={effect}>{effect}</dd>,
      ])}
    </dl>
  );
}
