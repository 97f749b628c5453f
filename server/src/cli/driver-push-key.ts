import type { Command } from 'commander';
import { type OutputOptions, printRecord } from './output.ts';

export function addDriverPushKeyCommand(driver: Command): void {
  driver
    .command('push-key')
    .description('make a key pair for push messages to drivers’ phones; it is printed and stored nowhere')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nSet VAPID_PRIVATE_KEY of every process to the first. Apps read the public key from the API.\n\nExample:\n  navette driver push-key',
    )
    .action(async (output: OutputOptions) => {
      const { newVapidPrivateKey, readVapidKey } = await import('../adapters/push/vapid.ts');
      const privateKey = newVapidPrivateKey();
      printRecord({ VAPID_PRIVATE_KEY: privateKey, publicKey: readVapidKey(privateKey).publicKey }, output);
    });
}
