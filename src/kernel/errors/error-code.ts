/** The code of a failed system call or SQL statement (`ENOENT`, `57P03`); undefined otherwise. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
