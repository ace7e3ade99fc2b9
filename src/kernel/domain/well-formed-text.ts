/**
 * Whether Postgres can store the text: no U+0000, no unpaired surrogate. Other input gets a 400 instead of a database
 * error.
 */
export const isWellFormedText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

export const WELL_FORMED_TEXT = 'must be text without U+0000 and without unpaired surrogates';
