import { MOST_ASSIGNED_AT_ONCE } from '@navette/contract/console-limits';
import { useCallback, useMemo, useState } from 'react';

/** A shipment that a person has chosen. It stays chosen when it leaves the list: the preview says what became of it. */
export interface Chosen {
  id: string;
  reference: string;
}

export function useSelection() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map());

  const set = useCallback((shipments: Chosen[], isOn: boolean) => {
    setChosen((before) => {
      const after = new Map(before);
      for (const { id, reference } of shipments) {
        if (!isOn) after.delete(id);
        else if (after.size < MOST_ASSIGNED_AT_ONCE) after.set(id, { id, reference });
      }
      return after;
    });
  }, []);
  const toggle = useCallback(
    (shipment: Chosen) => {
      set([shipment], !chosen.has(shipment.id));
    },
    [chosen, set],
  );
  const clear = useCallback(() => setChosen(new Map()), []);

  return useMemo(
    () => ({
      all: [...chosen.values()],
      has: (id: string) => chosen.has(id),
      isFull: chosen.size >= MOST_ASSIGNED_AT_ONCE,
      set,
      toggle,
      clear,
      /** The whole selection when the shipment is part of it, otherwise this one only. */
      with: ({ id, reference }: Chosen): Chosen[] => (chosen.has(id) ? [...chosen.values()] : [{ id, reference }]),
    }),
    [chosen, set, toggle, clear],
  );
}
export type Selection = ReturnType<typeof useSelection>;
