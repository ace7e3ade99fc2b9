/** The possible states of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'dropped'] as const;

/** The state of a delivery (W-10). */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
