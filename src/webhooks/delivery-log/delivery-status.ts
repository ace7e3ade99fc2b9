/** What can become of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'dropped'] as const;

/** What became of a delivery so far (W-10). */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
