/** Whether a member that may be absent or null is one of these. */
export const isLeftOut = (value: unknown): value is null | undefined => value === undefined || value === null;
