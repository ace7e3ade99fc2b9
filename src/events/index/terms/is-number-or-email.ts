/** Visible ASCII, with an `@` or three digits, also in PostgreSQL syntax. Unambiguous: linear time. */
export const NUMBER_OR_EMAIL = /^(?:[!-?A-~]*@|(?:[!-/:-~]*[0-9]){3})[!-~]*$/;

/** Such words are as numerous as the records. */
export const isNumberOrEmail = (word: string): boolean => NUMBER_OR_EMAIL.test(word);
