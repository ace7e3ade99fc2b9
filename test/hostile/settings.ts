import { MIB } from '../../src/kernel/domain/bytes.js';

/**
 * Seconds in which the refresh token before the current one is still good: longer than a slow machine takes for a
 * hundred refreshes, but no attack should wait a minute.
 */
export const GRACE_SECONDS = 10;
/** What clients and links name the service by. */
export const PUBLIC_URL = 'https://register.example';

/** What uploads of one client that no record names may have together: an attack fills it. */
export const UNNAMED_BYTES = 32 * MIB;
