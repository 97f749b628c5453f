/** An invoice or credit note as it was issued. */
export interface PlatformDocument {
  /** Also the key with which the platform recognises a repeated request. */
  number: string;
  kind: 'invoice' | 'credit_note';
  /** With the data of the invoice attached as Factur-X. */
  pdf: Buffer;
}

export interface PlatformStatus {
  /** The platform's own id of the status. */
  reference: string;
  /** Of the life cycle that French law defines: 200 deposited, 210 refused, 212 paid, 213 rejected… */
  code: number;
  at: Date;
}

/** A certified platform (plateforme agréée) through which invoices reach their buyers and the tax office. */
export interface InvoicePlatform {
  /** Returns the platform's id of the document. The same number again finds the same document. */
  deposit(document: PlatformDocument): Promise<string>;
  /** All statuses of a document, in any order. */
  listStatuses(platformId: string): Promise<PlatformStatus[]>;
}

/** `code` is a code of HTTP or of the network, never a text. */
export class PlatformFailure extends Error {
  readonly code: string;
  /** The same request would be refused again: a person must look at it. */
  readonly isFinal: boolean;

  constructor(code: string, isFinal: boolean) {
    super(`invoice platform: ${code}`);
    this.code = code;
    this.isFinal = isFinal;
  }
}
