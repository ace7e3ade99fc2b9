import { aClient, closeOpened, post } from '../../../test/support/subscriber-clients.js';
import { startTicketFlood } from '../../../test/support/ticket-flood.js';

afterEach(closeOpened);

describe('guardAnswers', () => {
  it('ends a connection on which a TLS server sends tickets without end', async () => {
    const flood = await startTicketFlood(7_000);
    const exchange = await post(aClient({ timeoutMs: 5_000 }), `https://127.0.0.1:${flood.port}/`);
    flood.close();
    expect(exchange).toMatchObject({ kind: 'unreachable', errorClass: 'protocol', code: 'TOO_MANY_TICKETS' });
  });
});
