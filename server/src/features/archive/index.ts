export { type Archive, createArchive, readLines } from './read-archive.ts';
