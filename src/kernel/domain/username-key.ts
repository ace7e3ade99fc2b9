import unhomoglyph from 'unhomoglyph';

import { withoutInvisible } from './visible-text.js';

/**
 * A user name without differences of letter case: two users have different ones (U-6). Both directions, since some
 * letters have two small forms (`ς` and `σ`), and small first, since `ẞ` stays itself in capitals and `ß` is `SS`.
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

/**
 * The skeleton of a user name (UTS 39, section 4), after its letter case was folded: names that look alike have the
 * same one. It is stored: another version of the table needs a migration that computes it anew.
 */
export const usernameSkeleton = (username: string): string =>
  unhomoglyph(withoutInvisible(usernameKey(username).normalize('NFD'))).normalize('NFD');
