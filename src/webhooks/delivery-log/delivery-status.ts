/** What can become of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'dropped'] as const;

/** What became of a delivery so far (W-10). */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Whether it is one of `DELIVERY_STATUSES`. */
export const isDeliveryStatus = (value: unknown): value is DeliveryStatus =>
  DELIVERY_STATUSES.includes(value as DeliveryStatus);
