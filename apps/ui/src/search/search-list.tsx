import { Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { FormError } from '../parts/form-error.tsx';
import classes from './search-list.module.css';

export interface FoundItem {
  key: string;
  row: ReactNode;
  /** Heading above this item and those after it. */
  section?: string;
  /** Found for a text that was typed before: a click opens it, Enter waits for the current ones. */
  isOutdated?: boolean;
  open: () => void;
}

interface Props {
  label: string;
  description: string;
  /** Name of the list, for screen readers. */
  results: string;
  typed: string;
  onTyped: (text: string) => void;
  items: readonly FoundItem[];
  /** Shown when there is no item, or below them. */
  note: string | null;
  isBusy: boolean;
  error: unknown;
}

/** Type, move with the arrows, open with Enter. The text field keeps the focus. */
export function SearchList({ label, description, results, typed, onTyped, items, note, isBusy, error }: Props) {
  const listId = useId();
  const [active, setActive] = useState(0);
  const [isEntered, setEntered] = useState(false); // Enter was pressed before the current results had arrived
  const activeRow = useRef<HTMLDivElement>(null);
  const at = Math.min(active, Math.max(items.length - 1, 0));
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to another row when the active one changes
  useEffect(() => {
    activeRow.current?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const item = items[at];
  useEffect(() => {
    if (!isEntered || !item || item.isOutdated) return;
    setEntered(false);
    item.open();
  }, [isEntered, item]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive(Math.min(Math.max(at + step, 0), Math.max(items.length - 1, 0)));
    else if (event.key !== 'Enter') return;
    setEntered(!step);
    event.preventDefault();
  };
  return (
    <Stack gap="sm">
      <TextInput
        label={label}
        description={description}
        inputWrapperOrder={['label', 'input', 'description']}
        leftSection={<IconSearch size={16} stroke={1.6} />}
        size="md"
        maxLength={100}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={items[at] ? `${listId}-${at}` : undefined}
        value={typed}
        onChange={(event) => {
          setActive(0);
          setEntered(false);
          onTyped(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <FormError error={error} />
      <div id={listId} role="listbox" aria-label={results} aria-busy={isBusy} className={classes.results}>
        {items.map(({ key, row, section, open }, index) => (
          <Fragment key={key}>
            {section && (
              <Text role="presentation" className={classes.section}>
                {section}
              </Text>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a listbox are handled by its text field */}
            <div
              ref={index === at ? activeRow : null}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={classes.result}
              onClick={open}
            >
              {row}
            </div>
          </Fragment>
        ))}
        {note !== null && (
          <Text size="sm" c="dimmed" p="sm" role="option" aria-disabled aria-selected={false}>
            {note}
          </Text>
        )}
      </div>
    </Stack>
  );
}
