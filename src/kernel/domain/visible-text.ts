/** White space and default-ignorable characters (zero-width space, soft hyphen, directional marks) at either end. */
const UNSEEN_ENDS = /^[\s\p{Default_Ignorable_Code_Point}]+|[\s\p{Default_Ignorable_Code_Point}]+$/gu;
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
/** U+2800 is a blank that is no white space. */
const SEEN = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether some character of the text shows. */
export const isVisible = (text: string): boolean => SEEN.test(text);

/** The text without white space and invisible characters at its ends, which keyboards and copying add (S-7, U-6). */
export const trimmed = (text: string): string => text.replace(UNSEEN_ENDS, '');

/** The text without characters that show nothing. */
export const withoutInvisible = (text: string): string => text.replace(UNSEEN, '');
