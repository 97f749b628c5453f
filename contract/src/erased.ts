/**
 * Replaces erased personal data in fields that the contract defines as text. Nullable fields become null, and `metadata`
 * becomes empty. Town, postal code and country stay.
 */
export const ERASED = '(effacé)';
