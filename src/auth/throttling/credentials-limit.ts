import { KIB } from '../../kernel/domain/bytes.js';

/**
 * Largest body, in bytes, of a request with credentials: its sender is not authenticated yet, and the cost of
 * reading it grows with its length.
 */
export const CREDENTIALS_LIMIT_BYTES = 64 * KIB;
