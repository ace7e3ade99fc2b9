/** There is no database to work with. The message says what was tried and what helps; no stack adds to it. */
export class DatabaseServerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseServerError';
  }
}
