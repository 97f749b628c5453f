/** An S3 server in a process of its own, on a free port: prints the port and runs until it is killed. */
import process from 'node:process';
import S3rver from '@20minutes/s3rver';

const [directory] = process.argv.slice(2);
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  directory,
  silent: true,
  allowMismatchedSignatures: false,
  configureBuckets: [{ name: 'labels' }],
});
const { port } = await server.run();
process.stdout.write(String(port));
