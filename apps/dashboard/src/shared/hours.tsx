import { Fragment } from 'react';

const HOURS = /(\d+h\d*-\d+h\d*)/;

/** Text that may contain hours, such as 14h-16h. Hours never wrap, and copying yields the original characters. */
export function Hours({ in: text }: { in: string }) {
  return text.split(HOURS).map((part, index) => {
    const key = `${index} ${part}`; // the same hours may occur twice
    if (!HOURS.test(part)) return <Fragment key={key}>{part}</Fragment>;
    return (
      <span key={key} style={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    );
  });
}
