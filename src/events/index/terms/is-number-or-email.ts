/**
 * Visible ASCII characters, with an `@` or three digits. The same for PostgreSQL. There is one way to read a word, so
 * that its length is all that it takes.
 */
export const NUMBER_OR_EMAIL = /^(?:[!-?A-~]*@|(?:[!-/:-~]*[0-9]){3})[!-~]*$/;

/** Whether a word is of a kind that is as numerous as the records. */
export const isNumberOrEmail = (word: string): boolean => NUMBER_OR_EMAIL.test(word);
