/**
 * Whether Postgres can hold the text: no U+0000 and no unpaired surrogate. Text that it cannot hold is refused at the
 * edge with a 400, so that it never turns into a failure of the database.
 */
export const isWellFormedText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** The message for text that is not well formed. */
export const WELL_FORMED_TEXT = 'must be text without U+0000 and without unpaired surrogates';
