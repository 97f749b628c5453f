import type { Config } from '../../config.ts';
import type { FileStore } from './file-store.ts';
import { createLocalDirectory } from './local-directory.ts';
import { createS3Bucket } from './s3-bucket.ts';

/** By its address: a bucket when it is one of the web, a directory otherwise. */
export function openFileStore({ labelStore, s3 }: Pick<Config, 'labelStore' | 's3'>): FileStore {
  return /^https?:\/\//.test(labelStore)
    ? createS3Bucket({ bucketUrl: labelStore.replace(/\/+$/, ''), ...s3 })
    : createLocalDirectory(labelStore);
}
