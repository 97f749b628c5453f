import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Chosen } from './use-selection.ts';

const SHIPMENTS = 'shipments';
const readShipments = (data: Record<string, unknown>): Chosen[] | null =>
  Array.isArray(data[SHIPMENTS]) ? (data[SHIPMENTS] as Chosen[]) : null;

/** Makes an element draggable. `shipments` is called when the drag starts; null: it may not be dragged. */
export function useDrag(element: RefObject<HTMLElement | null>, shipments: (() => Chosen[]) | null): void {
  const latest = useRef(shipments);
  latest.current = shipments;
  const isOn = shipments !== null;
  useEffect(() => {
    if (!element.current || !isOn) return undefined;
    return draggable({
      element: element.current,
      getInitialData: () => ({ [SHIPMENTS]: latest.current?.() ?? [] }),
    });
  }, [element, isOn]);
}

/** Makes an element a target for shipments; returns whether they are above it. */
export function useDrop(element: RefObject<HTMLElement | null>, onDrop: (shipments: Chosen[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    if (!element.current) return undefined;
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => readShipments(source.data) !== null,
      onDragEnter: () => setIsOver(true),
      onDragLeave: () => setIsOver(false),
      onDrop: ({ source }) => {
        setIsOver(false);
        const shipments = readShipments(source.data);
        if (shipments && shipments.length > 0) latest.current(shipments);
      },
    });
  }, [element]);
  return isOver;
}

/** The shipments that are being dragged. */
export function useDragged(): Chosen[] {
  const [dragged, setDragged] = useState<Chosen[]>([]);
  useEffect(
    () =>
      monitorForElements({
        onDragStart: ({ source }) => setDragged(readShipments(source.data) ?? []),
        onDrop: () => setDragged([]),
      }),
    [],
  );
  return dragged;
}
