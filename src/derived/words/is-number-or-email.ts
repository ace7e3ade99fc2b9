/** The same for PostgreSQL. */
export const NUMBER_OR_EMAIL = /^[!-~]*(?:@|[0-9][!-~]*[0-9][!-~]*[0-9])[!-~]*$/;

/** Whether a word is of a kind that is as numerous as the records. */
export const isNumberOrEmail = (word: string): boolean => NUMBER_OR_EMAIL.test(word);
