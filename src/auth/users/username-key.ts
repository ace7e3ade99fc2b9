/**
 * A user name without differences of letter case: two users have different ones (U-6). Both directions, since some
 * letters have two small forms (`ς` and `σ`).
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
