export { eraseProofs } from './add-proof.ts';
export { deleteProofFiles } from './delete-proof-files.ts';
export { serveConsoleProofs, serveDashboardProofs, serveDriverProofs } from './proof-routes.ts';
export { listShipmentProofs } from './read-proofs.ts';
