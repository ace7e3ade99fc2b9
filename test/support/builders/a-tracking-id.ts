let made = 0;

/** A tracking id that no other call yields. */
export const aTrackingId = (): string => (36 ** 5 + made++).toString(36).toUpperCase();
