import { Faults } from './faults.js';
import { ServiceError } from './service-error.js';

describe('faults', () => {
  it('are thrown all at once, in the order in which they were found', () => {
    const faults = new Faults();
    faults.add('limit', 'must be a whole number');
    faults.add('', 'must be an object');
    expect(faults.none).toBe(false);
    let thrown: unknown;
    try {
      faults.throwIfAny();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toEqual(
      new ServiceError('BAD_REQUEST', 'Input validation failed', {
        issues: [{ message: 'limit: must be a whole number' }, { message: 'body: must be an object' }],
      }),
    );
    expect(thrown).toMatchObject({
      code: 'BAD_REQUEST',
      status: 400,
      issues: [{ message: 'limit: must be a whole number' }, { message: 'body: must be an object' }],
    });
  });

  it('throw nothing when there are none', () => {
    const faults = new Faults();
    expect(faults.none).toBe(true);
    expect(faults.issues).toEqual([]);
    expect(() => {
      faults.throwIfAny();
    }).not.toThrow();
  });
});
