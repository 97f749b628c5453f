/** Enough for support to recognise a contact, too little to reveal it: `+33•••••678`. */
export function maskContact(contact: string): string {
  return contact.includes('@') ? maskAddress(contact) : maskNumber(contact);
}

function maskNumber(number: string): string {
  const prefix = /^\+\d{2}/.exec(number)?.[0] ?? '';
  return `${prefix}•••••${number.length > prefix.length + 5 ? number.slice(-3) : ''}`;
}

/** Masks the domain too: a personal domain names a person. */
function maskAddress(address: string): string {
  return `${Array.from(address)[0]}•••@•••${/\.[a-z]{2,}$/i.exec(address)?.[0] ?? ''}`;
}
