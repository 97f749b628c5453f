import { Group, Table, UnstyledButton } from '@mantine/core';
import type { ShipmentOrder } from '@navette/contract';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';

interface Props {
  children: string;
  width: number;
  /** The ascending and the descending order of this column. */
  orders: readonly [ascending: ShipmentOrder, descending: ShipmentOrder];
  order: ShipmentOrder | null;
  onOrder: (order: ShipmentOrder) => void;
}

/** A column head by which the list can be ordered. */
export function OrderHead({ children, width, orders: [ascending, descending], order, onOrder }: Props) {
  if (order === null) return <Table.Th w={width}>{children}</Table.Th>;
  const [sort, Icon] =
    order === ascending
      ? (['ascending', IconArrowUp] as const)
      : order === descending
        ? (['descending', IconArrowDown] as const)
        : (['none', IconArrowsSort] as const);
  return (
    <Table.Th w={width} aria-sort={sort}>
      <UnstyledButton fw={700} fz="inherit" onClick={() => onOrder(order === ascending ? descending : ascending)}>
        <Group gap={4} wrap="nowrap" component="span">
          {children}
          <Icon size={14} aria-hidden opacity={sort === 'none' ? 0.45 : 1} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
