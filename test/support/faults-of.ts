import { ServiceError } from '../../src/kernel/errors/service-error.js';

/** The messages with which something is refused; none when it is not. */
export async function faultsOf(work: Promise<unknown>): Promise<readonly string[]> {
  try {
    await work;
    return [];
  } catch (error) {
    if (error instanceof ServiceError) return error.issues.map(({ message }) => message);
    throw error;
  }
}
