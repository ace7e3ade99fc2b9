import unhomoglyph from 'unhomoglyph';

import { withoutInvisible } from './visible-text.js';

/**
 * The case-insensitive key of a user name, unique per user (U-6). Mapping both ways covers letters with two small forms
 * (`ς`, `σ`); lower case comes first, since `ẞ` stays itself in capitals and `ß` becomes `SS`.
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

/**
 * The skeleton of a case-folded user name (UTS 39, section 4), equal for names that look alike. It is stored: a new
 * version of the table needs a migration.
 */
export const usernameSkeleton = (username: string): string =>
  unhomoglyph(withoutInvisible(usernameKey(username).normalize('NFD'))).normalize('NFD');
