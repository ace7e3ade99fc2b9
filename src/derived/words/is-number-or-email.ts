const NUMBER_OR_EMAIL = /^[\x21-\x7e]*(?:@|\d[\x21-\x7e]*\d[\x21-\x7e]*\d)[\x21-\x7e]*$/;

/** Whether a word is of a kind that is as numerous as the records. */
export const isNumberOrEmail = (word: string): boolean => NUMBER_OR_EMAIL.test(word);
