import { Terms } from '../../src/events/index/terms/terms.js';

/** Under the key of test databases: the bytes 00 to 0f. */
export const TERMS = new Terms([0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c]);

/** Gives a database this key. */
export const FIX_TERM_KEY = `update term_key set key = decode('000102030405060708090a0b0c0d0e0f', 'hex')`;
