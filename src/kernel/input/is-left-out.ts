export const isLeftOut = (value: unknown): value is null | undefined => value === undefined || value === null;
