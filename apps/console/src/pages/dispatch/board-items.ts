import type { BoardShipment } from '@navette/contract';

/** A row of the list on the screen: a shipment, or the title above the shipments of one slot. */
export type BoardItem =
  | { kind: 'shipment'; key: string; shipment: BoardShipment; index: number }
  | { kind: 'slot'; key: string; startsAt: string; timeSlot: string; count: number; waiting: number };

/** Pure: the shipments in their order, with a title wherever a slot begins. Without slots there are no titles. */
export function boardItems(shipments: readonly BoardShipment[], bySlot: boolean): BoardItem[] {
  const items: BoardItem[] = [];
  let title: Extract<BoardItem, { kind: 'slot' }> | undefined;
  for (const [index, shipment] of shipments.entries()) {
    const { slotStartsAt, timeSlot } = shipment;
    if (bySlot && slotStartsAt) {
      if (title?.startsAt !== slotStartsAt) {
        title = {
          kind: 'slot',
          key: `slot ${slotStartsAt}`,
          startsAt: slotStartsAt,
          timeSlot: timeSlot ?? '',
          count: 0,
          waiting: 0,
        };
        items.push(title);
      } else if (timeSlot && !title.timeSlot.split(', ').includes(timeSlot)) title.timeSlot += `, ${timeSlot}`;
      title.count += 1;
      if (!shipment.driver) title.waiting += 1;
    }
    items.push({ kind: 'shipment', key: shipment.id, shipment, index });
  }
  return items;
}
