/** The message says what was tried and what helps; a stack would add nothing. */
export class DatabaseServerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseServerError';
  }
}
