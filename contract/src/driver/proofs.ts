export const PROOF_KINDS = ['photo', 'signature'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

export const SIGNER_RELATIONS = ['recipient', 'household', 'neighbour', 'caretaker', 'colleague', 'other'] as const;
export type SignerRelation = (typeof SIGNER_RELATIONS)[number];

/** Of one image. The app scales photos down to a fifth of it. */
export const MAX_PROOF_BYTES = 1_000_000;
export const MAX_PROOF_BASE64_CHARACTERS = Math.ceil(MAX_PROOF_BYTES / 3) * 4;
export const MAX_PROOFS_PER_SHIPMENT = 20;

/** Proof that was taken earlier before the delivery shows another place, such as a wrong address. */
export const HANDOVER_MINUTES = 15;
