/** In bytes or characters: memory limits that are powers of two are multiples of these. */
export const KIB = 1_024;

export const MIB = 1_024 * KIB;

export const GIB = 1_024 * MIB;
