export { freePort } from '../src/network/free-port.ts';
