/** White space and default-ignorable characters (zero-width space, soft hyphen, directional marks). */
const UNSEEN_ENDS = /^[\s\p{Default_Ignorable_Code_Point}]+|[\s\p{Default_Ignorable_Code_Point}]+$/gu;
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
/** U+2800 is a blank, but not white space. */
const SEEN = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const isVisible = (text: string): boolean => SEEN.test(text);

/** Keyboards and copying add these at both ends (S-7, U-6). */
export const trimmed = (text: string): string => text.replace(UNSEEN_ENDS, '');

export const withoutInvisible = (text: string): string => text.replace(UNSEEN, '');
