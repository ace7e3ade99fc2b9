/**
 * A user name without differences of letter case: two users have different ones (U-6). Both directions, since some
 * letters have two small forms (`ς` and `σ`), and small first, since `ẞ` stays itself in capitals and `ß` is `SS`.
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
