import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import type { RunningApplication } from '../support/application.js';
import { OFFICE } from '../support/areas.js';
import { aSecretsKey, matricula, succeed } from '../support/command-line.js';
import { aNotification, type EventCaller, eventCaller, startEventService } from '../support/event-service.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const SECRETS_KEY = aSecretsKey();
const CONFIGURATION = resolve('examples/event-configuration.json');

let running: Awaited<ReturnType<typeof startEventService>>;
let service: RunningApplication;
let clinic: EventCaller;
let registrar: EventCaller;
beforeAll(async () => {
  running = await startEventService({ EVENT_CONFIG_FILE: CONFIGURATION, SECRETS_KEY });
  ({ service } = running);
  clinic = eventCaller(service, (await service.registerClient('HEALTH')).token);
  const scope = [
    ...['create', 'read', 'search', 'declare', 'edit', 'register', 'correct', 'custom-action', 'archive', 'unarchive'],
    ...['print-certified-copies', 'revoke-registration', 'reinstate-registration'],
    ...['deactivate-registration', 'reactivate-registration', 'reject'],
  ].map((operation) => `record.${operation}`);
  registrar = eventCaller(
    service,
    await service.issuer.token({ sub: 'registrar', userType: 'user', scope, office: OFFICE }),
  );
});
afterAll(() => running.stop());

const tx = () => ({ transactionId: randomUUID(), keepAssignment: true });

const birth = (declaration: object) => aNotification({ eventType: 'birth', declaration });

/** A notified birth that the registrar has taken. */
async function taken(declaration: object): Promise<string> {
  const { event } = await clinic.post('/notify', birth(declaration));
  await registrar.post(`/${event.id}/actions/assign`, tx());
  return event.id;
}

const stateOf = async (id: string): Promise<readonly string[] | undefined> => {
  const { json } = await service.request('POST', '/events/search', {
    token: registrar.token,
    body: { query: { clauses: [{ id }] } },
  });
  const [record] = (json as { results: readonly { status: string; flags: readonly string[] }[] }).results;
  return record && [record.status, ...record.flags];
};

const COMPLETE = {
  'child.name': { firstname: 'Ana', surname: 'Musonda' },
  'child.dob': '2020-02-20',
  'child.gender': 'female',
  'informant.relation': 'MOTHER',
};

describe('a service with an event configuration (E-3)', () => {
  it('refuses a notification with what the form does not have, and leaves nothing of it', async () => {
    const refused = await clinic.post(
      '/notify',
      birth({ 'child.nickname': 'A', 'child.dob': 3, 'mother.address': {} }),
    );
    expect([refused.status, refused.message, refused.issues]).toEqual([
      400,
      'Input validation failed',
      [
        { message: 'declaration["child.nickname"]: Unexpected field' },
        { message: 'declaration["child.dob"]: Invalid input' },
        { message: 'declaration["mother.address"].addressType: Required' },
      ],
    ]);
    expect(await running.database.database.query(sql`select from event`)).toEqual([]);
  });

  it('edits, declares and registers only what is complete, and corrects what may be corrected', async () => {
    const id = await taken({ 'child.name': { firstname: 'Ana' }, 'informant.email': 'none' });
    await registrar.post(`/${id}/actions/edit`, tx());
    expect(await stateOf(id)).toEqual(['NOTIFIED', 'incomplete', 'edit-in-progress']);
    const early = await registrar.post(`/${id}/actions/declare`, {
      ...tx(),
      declaration: { 'child.gender': 'female' },
    });
    expect(early.issues).toEqual([
      { message: 'declaration["child.dob"]: Required' },
      { message: 'declaration["informant.relation"]: Required' },
      { message: 'declaration["informant.email"]: Invalid email address' },
    ]);
    await registrar.post(`/${id}/actions/declare`, { ...tx(), declaration: { ...COMPLETE, 'informant.email': null } });
    expect(await stateOf(id)).toEqual(['DECLARED', 'late-registration']);
    await registrar.post(`/${id}/actions/register`, tx());
    const correction = { ...tx(), declaration: { 'informant.relation': 'FATHER', 'child.dob': '2020-02-21' } };
    const refused = await registrar.post(`/${id}/correction/request`, correction);
    expect(refused.issues).toEqual([
      { message: 'declaration["informant.relation"]: Correction not allowed for field' },
    ]);
    expect(await stateOf(id)).toEqual(['REGISTERED', 'late-registration']);
  });

  it('sets and clears a country’s own flags, and walks through the rest of the life cycle', async () => {
    const id = await taken(COMPLETE);
    const course: [string, object?][] = [
      ['actions/edit'],
      ['actions/declare'],
      ['actions/custom/VALIDATE_DECLARATION'],
      ['actions/register'],
      ['actions/print-certificate', { content: { templateId: 'short' } }],
      ['actions/deactivate-registration'],
      ['actions/reactivate-registration'],
      ['actions/custom/SEAL'],
      ['actions/revoke-registration'],
      ['actions/reinstate-registration'],
    ];
    const states: unknown[] = [];
    for (const [action, more] of course) {
      const answered = await registrar.post(`/${id}/${action}`, { ...tx(), ...more });
      states.push([action, answered.status === 200 ? await stateOf(id) : answered.message]);
    }
    expect(states).toEqual([
      ['actions/edit', ['NOTIFIED', 'incomplete', 'edit-in-progress', 'late-registration']],
      ['actions/declare', ['DECLARED', 'late-registration']],
      ['actions/custom/VALIDATE_DECLARATION', ['DECLARED', 'late-registration', 'validated']],
      ['actions/register', ['REGISTERED', 'late-registration', 'validated']],
      ['actions/print-certificate', ['REGISTERED', 'late-registration', 'validated', 'certified']],
      ['actions/deactivate-registration', ['REGISTERED', 'inactive', 'late-registration', 'validated', 'certified']],
      ['actions/reactivate-registration', ['REGISTERED', 'late-registration', 'validated', 'certified']],
      ['actions/custom/SEAL', ['REGISTERED', 'late-registration', 'validated', 'certified', 'sealed']],
      ['actions/revoke-registration', ['REVOKED', 'late-registration', 'validated', 'certified', 'sealed']],
      ['actions/reinstate-registration', ['REGISTERED', 'late-registration', 'validated', 'certified', 'sealed']],
    ]);
    const again = await registrar.post(`/${id}/actions/reinstate-registration`, tx());
    expect([again.status, again.message]).toEqual([
      409,
      "Action 'REINSTATE_REGISTRATION' cannot be performed on an event in 'REGISTERED' state with " +
        '[late-registration, validated, certified, sealed] flags. Available actions: READ, PRINT_CERTIFICATE, ' +
        'REQUEST_CORRECTION, CUSTOM, REVOKE_REGISTRATION, DEACTIVATE_REGISTRATION.',
    ]);
  });

  it('takes custom actions that are listed, with the annotation of their form, while their condition holds', async () => {
    const id = await taken(COMPLETE);
    const act = async (name: string, annotation?: object) => {
      const answered = await registrar.post(`/${id}/actions/${name}`, { ...tx(), ...(annotation && { annotation }) });
      return answered.status === 200 ? 200 : [answered.status, answered.message, answered.issues];
    };
    const unmet = [409, 'Conditions for action: CUSTOM were not met, action cannot be performed', undefined];
    expect(await act('custom/VALIDATE_DECLARATION')).toEqual(unmet);
    expect(await act('custom/STAMP')).toEqual([
      400,
      'Custom action configuration not found with name: STAMP',
      undefined,
    ]);
    expect(await act('custom/COPY_FROM_PAPER', { 'paper.page': 'one', note: 'x' })).toEqual([
      400,
      'Input validation failed',
      [
        { message: 'annotation["note"]: Unexpected field' },
        { message: 'annotation["paper.volume"]: Required' },
        { message: 'annotation["paper.page"]: Invalid input' },
      ],
    ]);
    expect(await act('custom/COPY_FROM_PAPER', { 'paper.volume': '1971/2', 'paper.page': 7 })).toBe(200);
    expect([await act('edit', { note: 'x' }), await act('declare')]).toEqual([200, 200]);
    expect([await act('custom/VALIDATE_DECLARATION'), await act('custom/VALIDATE_DECLARATION')]).toEqual([200, unmet]);
    expect(await stateOf(id)).toEqual(['DECLARED', 'late-registration', 'paper-register', 'validated']);
  });

  it('has the same configuration on the command line, which proves what is derived, and refuses a faulty one', async () => {
    const env = { DATABASE_URL: running.database.url, SECRETS_KEY };
    const check = ['reindex', '--check', '--json'];
    expect(JSON.parse(await succeed(check, { ...env, EVENT_CONFIG_FILE: CONFIGURATION }))).toMatchObject({
      differences: [],
    });
    const without = await checkDerived(running.database.database, WITHOUT_FORMS);
    expect(without.differences.map(({ kind }) => kind)).toContain('event_search.flags');
    const faulty = await matricula(check, { ...env, EVENT_CONFIG: '{"events": [{"id": "birth", "fields": [1]}]}' });
    expect([faulty.code, faulty.stderr]).toEqual([
      1,
      expect.stringContaining('EVENT_CONFIG: events[0].fields[0]: must be an object') as string,
    ]);
  });
});
