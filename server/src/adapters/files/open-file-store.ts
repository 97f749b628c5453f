import type { Config } from '../../config.ts';
import type { FileStore } from './file-store.ts';
import { createLocalDirectory } from './local-directory.ts';
import { createS3Bucket } from './s3-bucket.ts';

export const openLabelStore = (config: Pick<Config, 'labelStore' | 's3'>) => openStore(config.labelStore, config);
/** Photos and signatures. */
export const openProofStore = (config: Pick<Config, 'proofStore' | 's3'>) => openStore(config.proofStore, config);

/** A bucket when the place is an http(s) URL, a directory otherwise. */
function openStore(place: string, { s3 }: Pick<Config, 's3'>): FileStore {
  return /^https?:\/\//.test(place)
    ? createS3Bucket({ bucketUrl: place.replace(/\/+$/, ''), ...s3 })
    : createLocalDirectory(place);
}
