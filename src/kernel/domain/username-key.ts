import unhomoglyph from 'unhomoglyph';

import { withoutInvisible } from './visible-text.js';

/**
 * The case-insensitive key of a user name (U-6). Both mappings cover letters with two small forms (`ς`, `σ`); lower
 * case comes first, since `ẞ` stays itself in capitals and `ß` becomes `SS`.
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

/** Equal for look-alike names (UTS 39, section 4), case-folded. Stored: a new table version needs a migration. */
export const usernameSkeleton = (username: string): string =>
  unhomoglyph(withoutInvisible(usernameKey(username).normalize('NFD'))).normalize('NFD');
