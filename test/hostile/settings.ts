/** Seconds in which the refresh token before the current one is still good: no attack should wait a minute. */
export const GRACE_SECONDS = 1;
/** What clients and links name the service by. */
export const PUBLIC_URL = 'https://register.example';
