import { KIB } from '../../kernel/domain/bytes.js';

/** Room for a token, and for a token request with its parameters in the URL. */
export const MAX_HEADER_BYTES = 64 * KIB;

/**
 * At this number or more, Node 20 drops the last header from each of its views at another place; later releases refuse
 * the request.
 */
export const MOST_HEADERS = 1_000;

/** The answer past either limit, with 400. */
export const HEADER_TOO_LARGE = `The header of the request is too large: it may have ${MAX_HEADER_BYTES} bytes, in fewer than ${MOST_HEADERS} fields`;
