const dotAtomAtDomain = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d-]+(?:\.[a-z\d-]+)*$/i;

/** A recipient string is a small language to mail software (lists, groups, comments): nothing of it gets past this. */
export function isPlainAddress(address: string): boolean {
  return address.length <= 254 && dotAtomAtDomain.test(address);
}
