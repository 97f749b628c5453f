import { Fragment } from 'react';

const HOURS = /(\d+h\d*-\d+h\d*)/;

/** A text that may name hours, such as 14h-16h: they stay on one line, and are copied as they are written. */
export function Hours({ in: text }: { in: string }) {
  return text.split(HOURS).map((part, index) => {
    const key = `${index} ${part}`; // the same hours may stand twice
    if (!HOURS.test(part)) return <Fragment key={key}>{part}</Fragment>;
    return (
      <span key={key} style={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    );
  });
}
