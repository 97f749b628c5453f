import type { ShipmentStatus } from '@navette/contract';
import { Html } from './html.ts';

const PATHS: Record<ShipmentStatus, string> = {
  programmed: '<rect x="4" y="5.500" width="16" height="15" rx="3"/><path d="M4 10h16M8.500 3v4M15.500 3v4"/>',
  created: '<circle cx="11" cy="11" r="6.500"/><path d="m16 16 4.500 4.500"/>',
  assigned: '<circle cx="12" cy="8" r="4"/><path d="M4.500 20.500c1-4 4-6 7.500-6s6.500 2 7.500 6"/>',
  picked_up: '<path d="m12 3 8 4.200v9.600L12 21l-8-4.200V7.200zM4.200 7.300 12 11.500l7.800-4.200M12 11.500V21"/>',
  in_transit:
    '<path d="M2.500 6h11v11h-11zM13.500 10h4l4 4v3h-8z"/><circle cx="7" cy="18" r="2.200"/><circle cx="17" cy="18" r="2.200"/>',
  delivered: '<path d="m5 12.500 4.500 4.500L19 7.500"/>',
  cancelled: '<path d="m6.500 6.500 11 11M17.500 6.500l-11 11"/>',
};

export const icon = (status: ShipmentStatus): Html =>
  new Html(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[status]}</svg>`);
