/** Sizes in bytes or characters: every memory limit that is a power of two is a multiple of one. */
export const KIB = 1_024;

export const MIB = 1_024 * KIB;

export const GIB = 1_024 * MIB;
