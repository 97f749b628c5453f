import type { Answers, ShipmentDocument } from './generated/api-types.ts';

export interface ShipmentPage {
  shipments: ShipmentDocument[];
  /** Shipments that match the filter, on all pages. */
  total: number;
  nextCursor: string | null;
}

type ReadPage = (cursor: string | undefined) => Promise<Answers['listShipments']>;

/** Shipments, newest first. Iterate over it; pages are read when they are needed. */
export class ShipmentList implements AsyncIterable<ShipmentDocument> {
  /**
   * Where to go on after an interruption: pass it to `list()` with the same filters. The shipments of the current page
   * come again, none is left out. Undefined before the second page, null after the last.
   */
  cursor: string | null | undefined;
  readonly #readPage: ReadPage;

  constructor(readPage: ReadPage, cursor: string | undefined) {
    this.#readPage = readPage;
    this.cursor = cursor;
  }

  async *pages(): AsyncGenerator<ShipmentPage> {
    while (this.cursor !== null) {
      const { shippings, pagination } = await this.#readPage(this.cursor);
      const isEmptyEnd = shippings.length === 0 && this.cursor; // a filtered list may end with an empty page
      if (!isEmptyEnd) yield { shipments: shippings, total: pagination.total, nextCursor: pagination.nextCursor };
      this.cursor = pagination.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ShipmentDocument> {
    for await (const { shipments } of this.pages()) yield* shipments;
  }
}
