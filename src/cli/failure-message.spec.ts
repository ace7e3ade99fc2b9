import { failureMessage } from './failure-message.js';

const withCode = (code: string, message: string): Error => Object.assign(new Error(message), { code });
const lost = (reason: string): string =>
  `The database could not be reached any more (${reason}). What was committed stays: run the command again once it ` +
  'answers. A reindex and an import of records go on where they were.';

describe('the message of a command that failed', () => {
  it.each([
    [
      new Error('Client has encountered a connection error and is not queryable'),
      lost('Client has encountered a connection error and is not queryable'),
    ],
    [new Error('Connection terminated unexpectedly'), lost('Connection terminated unexpectedly')],
    [
      withCode('57P01', 'terminating connection due to administrator command'),
      lost('terminating connection due to administrator command'),
    ],
    [new Error('the import failed', { cause: withCode('ECONNRESET', 'read ECONNRESET') }), lost('read ECONNRESET')],
    [
      withCode('25006', 'cannot execute INSERT in a read-only transaction'),
      'The database takes no writes: it has become a standby, or `default_transaction_read_only` is set for it or its role.',
    ],
    [new Error('a fault of our own'), 'a fault of our own'],
    // Two addresses of one host.
    [new AggregateError([new Error('one refused'), new Error('another refused')], ''), 'one refused; another refused'],
  ])('says what helps: %p', (error, message) => {
    expect(failureMessage(error)).toBe(message);
  });
});
