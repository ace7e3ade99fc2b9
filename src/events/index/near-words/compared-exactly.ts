const THREE_DIGITS = /\d\D*\d\D*\d/;

/** A word with three or more digits, or an e-mail address: no other word is near it (S-11), and no table has it. */
export const isComparedExactly = (word: string): boolean => word.includes('@') || THREE_DIGITS.test(word);
