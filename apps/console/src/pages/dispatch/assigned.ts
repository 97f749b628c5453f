import type { ConsoleAnswer } from '@navette/contract';

export interface NamedDriver {
  id: string;
  name: string;
}

export interface Assigned {
  commandId: string;
  driver: NamedDriver;
  answer: ConsoleAnswer<'assignShipments'>;
}
