/** `npm run cluster:render -- OUT [INVENTORY]`: writes every machine's configuration files to OUT/<machine>/. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROLES, readInventory, readPasswords, renderMachine } from './inventory.ts';

const [out, file = join(import.meta.dirname, 'inventory.json')] = process.argv.slice(2);
if (!out || out.startsWith('-')) {
  console.log('Usage: npm run cluster:render -- OUT [INVENTORY]\n\nPasswords: OUT/passwords.json, created once.');
  process.exit(2);
}
const inventory = readInventory(file);
mkdirSync(out, { recursive: true });
const passwords = readPasswords(join(out, 'passwords.json'));
for (const role of ROLES) {
  for (const machine of inventory[role]) {
    for (const { path, text, mode } of renderMachine(inventory, passwords, role, machine)) {
      const target = join(out, machine.name, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text, { mode });
    }
    console.log(join(out, machine.name));
  }
}
