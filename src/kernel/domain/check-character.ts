const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const COUNT = CHARACTERS.length;

/**
 * The check character of ISO/IEC 7064, MOD 37,36: it reveals every wrong character and nearly all exchanges. Other
 * characters do not count.
 */
export function checkCharacter(text: string): string {
  let product = COUNT;
  for (const character of text) {
    const value = CHARACTERS.indexOf(character);
    if (value === -1) continue;
    product = (((product + value) % COUNT || COUNT) * 2) % (COUNT + 1);
  }
  return CHARACTERS.charAt((COUNT + 1 - product) % COUNT);
}
