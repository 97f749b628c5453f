import type { MapPoint, ZoneShape } from '@navette/contract';
import { timeZone } from '@navette/ui/formats';
import { instantOf, localTimeOf } from '@navette/ui/local-time';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';

export interface ZoneDraft {
  /** New with each change: the same request again changes nothing, another one is another zone. */
  id: string;
  kind: ZoneShape['kind'];
  places: MapPoint[];
  radiusMetres: number;
  /** As the field holds it: a local time of the service, without a zone. */
  endsAt: string;
  reason: string;
  informs: boolean;
  message: string;
}

const HOUR_MS = 3_600_000;

const emptyDraft = (message: string): ZoneDraft => ({
  id: crypto.randomUUID(),
  kind: 'circle',
  places: [],
  radiusMetres: 1_000,
  endsAt: localTimeOf(new Date(Date.now() + 2 * HOUR_MS), timeZone),
  reason: '',
  informs: true,
  message,
});

/** The shape, or null while places are missing. */
function shapeOf({ kind, places, radiusMetres }: ZoneDraft): ZoneShape | null {
  const [centre] = places;
  if (kind === 'circle') return centre && radiusMetres >= 50 ? { kind, centre, radiusMetres } : null;
  return places.length >= 3 ? { kind, corners: places } : null;
}

/** A zone that is being drawn, and what it would affect. */
export function useZoneDraft(defaultMessage: string) {
  const [draft, setDraft] = useState<ZoneDraft | null>(null);
  const shape = draft && shapeOf(draft);
  const endsAt = (draft && instantOf(draft.endsAt, timeZone)?.toISOString()) ?? null;
  const effect = useQuery({
    queryKey: ['map', 'zone-preview', shape, endsAt],
    queryFn: () => call('previewZone', { body: { shape: shape as ZoneShape, endsAt: endsAt as string } }),
    enabled: shape !== null && endsAt !== null,
    staleTime: 0,
    retry: false,
  });
  const change = (changes: Partial<ZoneDraft>) =>
    setDraft((before) => before && { ...before, ...changes, id: crypto.randomUUID() });
  /** A click on the map: the centre of a circle, or a further corner. Returns whether a zone is drawn at all. */
  const place = (at: MapPoint): boolean => {
    if (!draft) return false;
    const rounded = { latitude: Number(at.latitude.toFixed(5)), longitude: Number(at.longitude.toFixed(5)) };
    change({ places: draft.kind === 'circle' ? [rounded] : [...draft.places, rounded] });
    return true;
  };
  return {
    draft,
    shape,
    endsAt,
    effect: shape && endsAt ? effect.data : undefined,
    error: shape && endsAt ? effect.error : null,
    begin: () => setDraft(emptyDraft(defaultMessage)),
    end: () => setDraft(null),
    change,
    place,
  };
}
