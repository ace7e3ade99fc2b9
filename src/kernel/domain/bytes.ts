/** Sizes, in bytes or in characters: every limit of memory that is a power of two is written as a multiple of one. */
export const KIB = 1_024;

/** 1,024 KiB. */
export const MIB = 1_024 * KIB;

/** 1,024 MiB. */
export const GIB = 1_024 * MIB;
