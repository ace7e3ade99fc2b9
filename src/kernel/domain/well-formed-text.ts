/** Postgres stores neither U+0000 nor unpaired surrogates; such input gets a 400 instead of a database error. */
export const isWellFormedText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

export const WELL_FORMED_TEXT = 'must be text without U+0000 and without unpaired surrogates';
