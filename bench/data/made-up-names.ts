const CONSONANTS = ['b', 'ch', 'd', 'f', 'k', 'l', 'm', 'mw', 'n', 'nk', 's', 't', 'w', 'z'];
const VOWELS = ['a', 'e', 'i', 'o', 'u'];
const SYLLABLES = CONSONANTS.flatMap((consonant) => VOWELS.map((vowel) => consonant + vowel));
const ALL = SYLLABLES.length ** 4;

/** No factor of it is one of `ALL`, so that no name comes twice. */
const STEP = 7_654_321;

/** A made-up name of four syllables, another for each number below 24 million. */
export function madeUpName(number: number): string {
  let left = Number((BigInt(number) * BigInt(STEP)) % BigInt(ALL));
  let name = '';
  for (let at = 0; at < 4; at++) {
    name += SYLLABLES[left % SYLLABLES.length] ?? '';
    left = Math.floor(left / SYLLABLES.length);
  }
  return name;
}
