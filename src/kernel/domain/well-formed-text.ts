/**
 * Whether Postgres can store the text: no U+0000 and no unpaired surrogate. Other text is refused on input with a 400,
 * so that it never causes a database error.
 */
export const isWellFormedText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** The message for text that is not well formed. */
export const WELL_FORMED_TEXT = 'must be text without U+0000 and without unpaired surrogates';
