import type { EventAction } from '../../src/kernel/domain/event-action.js';
import { aRecord } from '../support/builders/a-record.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { runImport } from '../support/imports.js';
import { askingWebhooks, startWebhookService, type WebhookService } from '../support/webhook-routes.js';

let service: WebhookService;
beforeAll(async () => {
  service = await startWebhookService();
});
afterAll(() => service.close());

const { trigger, aRegistration } = askingWebhooks(() => ({
  ...service,
  client: { clientId: '' as never, shaSecret: '', token: '' },
}));

const fields = (count: number, from = 0): Readonly<Record<string, number>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field.${from + at}`, 1]));
const declared = (count: number, from = 0): EventAction =>
  anAction({ type: 'DECLARE', declaration: fields(count, from) });

const TOO_MANY = { message: 'declaration: has more than 2000 values' };
const WOULD_BE_TOO_MANY = { message: 'declaration: would have 3000 values; at most 2000 are allowed' };
const TOO_MANY_IN_ALL = { message: 'body: has more than 20000 values' };

describe('an event from outside', () => {
  it('is refused in an import where its declaration is larger than any may be, and stops nothing', async () => {
    const record = aRecord({ declaration: fields(3_000) });
    const document = anEventDocument({ actions: [anAction(), declared(3_000)] });
    const { result } = await runImport(service.test.database, [record, aRecord(), document, aRecord()]);
    expect(result).toEqual({
      imported: 2,
      updated: 0,
      rejected: 2,
      faults: [
        { line: 1, id: record.id, issues: [TOO_MANY] },
        { line: 3, id: document.id, issues: [TOO_MANY] },
      ],
    });
  });

  it('is refused before it is read where it has more values than histories have', async () => {
    const flags = Array.from({ length: 20_000 }, (_, at) => `flag ${at}`);
    const record = { ...aRecord(), flags };
    const { result } = await runImport(service.test.database, [record, aRecord()]);
    expect(result).toEqual({
      imported: 1,
      updated: 0,
      rejected: 1,
      faults: [{ line: 1, id: record.id, issues: [TOO_MANY_IN_ALL] }],
    });
  });

  it('is refused where it would make a stored declaration larger than any may be', async () => {
    const document = anEventDocument({ actions: [anAction(), declared(1_500)] });
    const grown = { ...document, actions: [...document.actions, declared(1_500, 1_500)] };
    // The second one is refused, what is as it was is not.
    const { result } = await runImport(service.test.database, [document, grown, document]);
    expect(result).toEqual({
      imported: 1,
      updated: 1,
      rejected: 1,
      faults: [{ line: 2, id: document.id, issues: [TOO_MANY] }],
    });
  });

  it('is refused as a trigger in the same way', async () => {
    const document = anEventDocument({ actions: [anAction(), declared(1_500), aRegistration()] });
    expect((await trigger(document)).status).toBe(200);
    const grown = { ...document, actions: [...document.actions, declared(1_500, 1_500)] };
    expect(await trigger(grown, 'DECLARE')).toMatchObject({ status: 400, body: { issues: [WOULD_BE_TOO_MANY] } });
    const many = anEventDocument({ actions: [anAction(), declared(20_000), aRegistration()] });
    expect(await trigger(many)).toMatchObject({ status: 400, body: { issues: [TOO_MANY_IN_ALL] } });
  });
});
