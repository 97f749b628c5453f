export { eraseProofs } from './add-proof.ts';
export { deleteProofFiles } from './delete-proof-files.ts';
export { type ImageFile, readImage } from './image-file.ts';
export { keepFile, listUntilKept } from './new-files.ts';
export { serveConsoleProofs, serveDashboardProofs, serveDriverProofs } from './proof-routes.ts';
export { listShipmentProofs, readPhotoForTokenHolder } from './read-proofs.ts';
