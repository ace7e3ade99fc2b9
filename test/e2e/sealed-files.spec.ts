import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '../../src/kernel/sql/sql.js';
import type { RunningApplication } from '../support/application.js';
import { OFFICE } from '../support/areas.js';
import { aNotification, type EventCaller, eventCaller, startEventService } from '../support/event-service.js';
import { eventually } from '../support/eventually.js';
import { aPdf, field, file, MULTIPART, multipart, pathOf } from '../support/multipart.js';

const USER = ['read', 'edit', 'declare', 'register', 'custom-action'].map((operation) => `record.${operation}`);

let directory: string;
let running: Awaited<ReturnType<typeof startEventService>>;
let service: RunningApplication;
let hospital: EventCaller;
let registrar: EventCaller;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'matricula-files-'));
  running = await startEventService({ DATA_DIR: directory });
  ({ service } = running);
  hospital = eventCaller(service, (await service.registerClient('HEALTH')).token);
  const user = { sub: 'registrar', userType: 'user', scope: USER, office: OFFICE } as const;
  registrar = eventCaller(service, await service.issuer.token(user));
});
afterAll(async () => {
  await running.stop();
  await rm(directory, { recursive: true });
});

const aClient = async (...scope: readonly string[]) => {
  const { clientId } = await service.registerClient('RECORD_SEARCH');
  return { clientId, token: await service.issuer.token({ sub: clientId, userType: 'system', scope }) };
};
const upload = (token: string, ...fields: readonly [string, string][]) =>
  service.request('POST', '/attachments', {
    token,
    headers: { 'content-type': MULTIPART },
    body: multipart([...fields.map(([name, value]) => field(name, value)), file(aPdf())]),
  });

/** A registered birth that names a file. */
async function registered(): Promise<{ readonly id: string; readonly path: string; readonly fileId: string }> {
  const path = pathOf(await upload(hospital.token, ['transactionId', randomUUID()]));
  const declaration = { 'documents.proof': { path, originalFilename: 'proof.pdf', type: 'application/pdf' } };
  const { event } = await hospital.post('/notify', aNotification({ eventType: 'birth', declaration }));
  for (const action of ['assign', 'edit', 'declare', 'register']) await act(event.id, action);
  return { id: event.id, path, fileId: path.slice(path.lastIndexOf('/') + 1) };
}

async function act(id: string, action: string): Promise<void> {
  const body = { transactionId: randomUUID(), keepAssignment: true };
  expect((await registrar.post(`/${id}/actions/${action}`, body)).status).toBe(200);
}

/** Each way to a file of the record, by a token: statuses and bodies, without the names that were asked for. */
async function waysTo(token: string, id: string, path: string, fileId: string): Promise<readonly unknown[]> {
  const byPath = encodeURIComponent(JSON.stringify({ json: { filePath: path } }));
  const answers = [
    await service.request('GET', `/events/${id}/files/${fileId}/url`, { token }),
    await service.request('GET', `/event.file.getPresignedUrl?input=${byPath}`, { token }),
    await upload(token, ['transactionId', 'tx'], ['eventId', id]),
  ];
  const names = new Map([
    [id, '<id>'],
    [path, '<path>'],
    [fileId, '<file>'],
  ]);
  return answers.map(({ status, body }) => [
    status,
    [...names].reduce((text, [name, by]) => text.replaceAll(name, by), body),
  ]);
}

describe('two files of a record that are called alike', () => {
  it('are told apart by their paths, and not by their name', async () => {
    const transactionId = randomUUID();
    const first = pathOf(await upload(hospital.token, ['transactionId', transactionId]));
    const named = (path: string) => ({ path, originalFilename: 'proof.pdf', type: 'application/pdf' });
    const declaration = { 'documents.proof': named(first) };
    const { event } = await hospital.post('/notify', aNotification({ eventType: 'birth', declaration }));
    const fileId = first.slice(first.lastIndexOf('/') + 1);
    const own = `events/${event.id}/${fileId}`;
    await running.database.database.query(sql`
      insert into upload (id, uploader, path, event_id, transaction_id, type, bytes, sha256)
      select ${randomUUID()}, 'another', ${own}, ${event.id}, transaction_id, type, bytes, sha256
        from upload where path = ${first}`);
    await act(event.id, 'assign');
    const edit = { transactionId: randomUUID(), keepAssignment: true, declaration: { 'documents.own': named(own) } };
    expect((await registrar.post(`/${event.id}/actions/edit`, edit)).status).toBe(200);
    const { token } = await aClient('record.read');
    const { status, json } = await service.request('GET', `/events/${event.id}/files/${fileId}/url`, { token });
    const issues = [own, first].map((path) => ({ message: `fileId: may be that of ${path}` }));
    const message = `The event names several files called ${fileId}`;
    expect([status, json]).toEqual([409, { message, code: 'CONFLICT', issues }]);
    for (const path of [own, first]) {
      const byPath = encodeURIComponent(JSON.stringify({ json: { filePath: path } }));
      const url = `/event.file.getPresignedUrl?input=${byPath}`;
      expect((await service.request('GET', url, { token })).status).toBe(200);
    }
  });
});

describe('the files of a sealed record (E-10)', () => {
  it('are those of no record for a caller whose scopes exclude it, until it is unsealed', async () => {
    const { id, path, fileId } = await registered();
    const scopes = ['type=record.read&flags.noneOf=sealed', 'attachment.upload', 'type=record.notify&event=death'];
    const outsider = await aClient(...scopes);
    const insider = await aClient('record.read');
    const url = `/events/${id}/files/${fileId}/url`;
    const none = `uploads/${randomUUID()}/${fileId}`;
    const nowhere = await waysTo(outsider.token, randomUUID(), none, fileId);
    expect((await service.request('GET', url, { token: outsider.token })).status).toBe(200);

    await act(id, 'custom/SEAL');
    const sealed = await waysTo(outsider.token, id, path, fileId);
    expect(sealed).toEqual(nowhere);
    expect(sealed.map((answer) => (answer as [number])[0])).toEqual([404, 404, 404]);
    expect((await service.request('GET', url, { token: insider.token })).status).toBe(200);
    await act(id, 'custom/UNSEAL');
    expect((await service.request('GET', url, { token: outsider.token })).status).toBe(200);
  });
});

describe('a record that is sealed while somebody walks through results (E-10, S-15)', () => {
  interface Page {
    readonly total: number;
    readonly results: readonly { readonly id: string }[];
  }

  it('is on no later page, in no total and in no export, and the walk goes on after it', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await registered()).id);
    const outsider = await aClient('type=record.search&flags.noneOf=sealed');
    const insider = await aClient('record.search');
    const body = {
      query: { clauses: ids.map((id) => ({ id })), type: 'or' },
      sort: [{ field: 'createdAt', direction: 'asc' }],
    };
    const search = async (token: string, path: string, more: object) => {
      const { status, json, headers } = await service.request('POST', path, { token, body: { ...body, ...more } });
      const { total, results } = json as Page;
      const next = /^<([^>]+)>/.exec(String(headers['link'] ?? ''))?.[1];
      return { found: [status, total, results.map(({ id }) => ids.indexOf(id))], next };
    };
    const first = await search(outsider.token, '/events/search', { limit: 2 });
    expect(first.found).toEqual([200, 4, [0, 1]]);

    // The one where the next page begins, and one that would be on it.
    for (const sealed of [1, 2]) await act(ids[sealed] ?? '', 'custom/SEAL');
    const second = await search(outsider.token, first.next ?? '', { limit: 2 });
    expect(second).toEqual({ found: [200, 2, [3]], next: undefined });
    const exported = await service.request('POST', '/events/search', {
      ...{ token: outsider.token, headers: { accept: 'application/x-ndjson' }, body },
    });
    const lines = exported.body.trimEnd().split('\n');
    expect(lines.map((line) => ids.indexOf((JSON.parse(line) as { readonly id: string }).id))).toEqual([0, 3]);
    expect((await search(insider.token, '/events/search', {})).found).toEqual([200, 4, [0, 1, 2, 3]]);
  });
});

it('the address of a file that a user is given is a row of the audit log (I-2)', async () => {
  const { id, fileId, path } = await registered();
  const [sub, operation] = [randomUUID(), 'event.file.getPresignedUrl'];
  const token = await service.issuer.token({ sub, userType: 'user', scope: ['record.read'] });
  expect((await service.request('GET', `/events/${id}/files/${fileId}/url`, { token })).status).toBe(200);
  const read = () =>
    service.database.database.query(sql`
      select client_type as type, operation, request_data as request from audit_log where client_id = ${sub}`);
  await eventually('the row is written', async () => (await read()).length > 0);
  expect(await read()).toEqual([{ type: 'user', operation, request: { eventId: id, filePath: path } }]);
});

describe('the audit pages of a sealed record (I-3)', () => {
  it('tell of whoever got it, and of nobody who was refused', async () => {
    const { id, fileId } = await registered();
    await act(id, 'custom/SEAL');
    const outsider = await aClient('type=record.read&flags.noneOf=sealed');
    const insider = await aClient('record.read');
    for (const { token } of [outsider, insider]) {
      await service.request('GET', `/events/${id}`, { token });
      await service.request('GET', `/events/${id}/files/${fileId}/url`, { token });
    }
    const auditor = await service.issuer.token();
    const pageOf = async (clientId: string, token = auditor) => {
      const { status, json } = await service.request('GET', `/integrations/${clientId}/audit`, { token });
      const { results = [] } = json as { readonly results?: readonly { readonly operation: string }[] };
      return [
        status,
        ...results.map(({ operation }) => operation).filter((operation) => operation.startsWith('event')),
      ];
    };
    const told = [200, 'event.file.getPresignedUrl', 'event.get'];
    await eventually('both rows are written', async () => (await pageOf(insider.clientId)).length >= told.length);
    expect(await pageOf(insider.clientId)).toEqual(told);
    expect(await pageOf(outsider.clientId)).toEqual([200]);
    // No client reads a page, not even its own.
    expect(await pageOf(insider.clientId, insider.token)).toEqual([403]);
  });
});
