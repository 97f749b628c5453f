import { domainToASCII } from 'node:url';

/** Letters, digits and signs of RFC 5322, plus RFC 6531: any visible character, but no whitespace or control. */
const ATOM = /^(?:[\w!#$%&'*+/=?^`{|}~-]|[^\p{ASCII}\p{C}\p{Z}])+$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const ASCII_ONLY = /^\p{ASCII}*$/u;

/** E-mail addresses in any script on both sides of the @, without the comments and quoted names of RFC 5322. */
export function isEmail(address: string): boolean {
  const at = address.lastIndexOf('@');
  const [name, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  const labels = domain.split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    name.split('.').every((atom) => ATOM.test(atom)) &&
    (ASCII_ONLY.test(domain) || domainToASCII(domain) !== '')
  );
}
