import { randomUUID } from 'node:crypto';
import type { Caller } from '../../src/kernel/domain/scopes/caller.js';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import { MIB } from '../../src/kernel/domain/bytes.js';
import type { ActionType, EventAction, EventDocument } from '../../src/kernel/domain/event-action.js';
import { askedAction } from '../../src/events/operations/decisions/asked-action.js';
import { HistoriesTooLong, lockStoredEvents } from '../../src/events/records/stored-events.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { type EventProcess, eventProcess, rowsIn } from '../support/event-writers.js';
import { runImport } from '../support/imports.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let process: EventProcess;
beforeAll(async () => {
  test = await createTestDatabase();
  process = eventProcess(test.database);
});
afterAll(() => test.drop());

const { signal: hungUp } = new AbortController();

function callerAs(userType: 'user' | 'system'): Caller {
  const scope = ['record.read', 'record.edit', 'record.declare'];
  return callerOf({ sub: 'registrar', userType, scope }, () => undefined);
}
const registrar = { caller: callerAs('user'), hungUp };

/** An event that was declared, and then printed so often. */
async function aPrintedEvent(times: number, print: Partial<EventAction> = {}): Promise<EventDocument> {
  const actions = Array.from({ length: times }, () => anAction({ type: 'PRINT_CERTIFICATE', ...print }));
  const document = anEventDocument({ actions: [anAction(), anAction({ type: 'DECLARE' }), ...actions] });
  await process.writer.submit({
    ...{ client: 'feed', eventId: document.id, size: 1_000 },
    decide: () => ({ answer: undefined, change: { kind: 'create', document } }),
  });
  return document;
}

const act = (document: EventDocument, type: ActionType, more: object = {}, by = registrar): Promise<object> =>
  process.operations.act(document.id, askedAction(type, { transactionId: randomUUID(), ...more }), by);

const typesOf = (view: object): readonly string[] =>
  (view as EventDocument).actions.map((action) => action.type).filter((type) => type !== 'PRINT_CERTIFICATE');

describe('an event with as many actions as one may have', () => {
  it('takes nothing more but being given back, and is read without a trace in it', async () => {
    const document = await aPrintedEvent(5_997);
    expect(typesOf(await act(document, 'ASSIGN'))).toEqual(['CREATE', 'DECLARE', 'ASSIGN']);
    const full = await rowsIn(test.database);
    await expect(act(document, 'EDIT', { declaration: { 'child.dob': '2026-01-02' } })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The event would have 6003 actions; at most 6000 are allowed',
      issues: [],
    });
    expect(typesOf(await process.operations.read(document.id, registrar))).toEqual(['CREATE', 'DECLARE', 'ASSIGN']);
    expect(await rowsIn(test.database)).toEqual({ ...full, audit_log: (full['audit_log'] ?? 0) + 1 });
    expect(typesOf(await act(document, 'UNASSIGN'))).toEqual(['CREATE', 'DECLARE', 'ASSIGN', 'UNASSIGN']);
    await expect(act(document, 'ASSIGN')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The event would have 6002 actions; at most 6000 are allowed',
    });
  });

  it('filled by a system client, is left to users', async () => {
    const document = await aPrintedEvent(4_998);
    const edit = { declaration: { 'child.dob': '2026-01-02' } };
    await expect(act(document, 'EDIT', edit, { ...registrar, caller: callerAs('system') })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The event would have 5002 actions; at most 5000 are allowed',
    });
    await act(document, 'ASSIGN');
    expect(typesOf(await act(document, 'EDIT', edit))).toEqual(expect.arrayContaining(['EDIT']));
  });

  it('takes no more from outside either, and stops no other line', async () => {
    const document = await aPrintedEvent(4_998);
    const more = { ...document, actions: [anAction(), anAction({ type: 'EDIT' })] };
    const known = { ...document, actions: document.actions.slice(0, 3) };
    const { result } = await runImport(test.database, [more, known, anEventDocument()]);
    expect(result).toEqual({
      imported: 1,
      updated: 1,
      rejected: 1,
      faults: [
        {
          line: 1,
          id: document.id,
          issues: [{ message: 'actions: would be 5002 actions; at most 5000 are allowed' }],
        },
      ],
    });
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
  });
});

describe('an event whose actions say as much as any may', () => {
  it.each([
    ['values', 30, { content: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`key ${at}`, at])) }],
    ['characters of actions', 51, { content: { comment: 'x'.repeat(102_000) } }],
  ])('takes no more %s', async (_, times, print) => {
    const document = await aPrintedEvent(times, print);
    await act(document, 'ASSIGN');
    const declaration = { 'child.placeOfBirth': 'x'.repeat(100_000 - 'child.placeOfBirth'.length) };
    await expect(act(document, 'EDIT', { declaration })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^The event would have (60001 values|\d+ characters)/) as string,
    });
  });
});

describe('a correction of a record that has nearly as many values as any may', () => {
  const values = (count: number, from = 0): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`field ${from + at}`, 1]));
  const keepAssignment = true;
  const tooMany = (count: number): object => ({
    code: 'BAD_REQUEST',
    issues: [{ message: `declaration: would have ${count} values; at most 2000 are allowed` }],
  });

  it('is refused when it is requested, and where the record has grown meanwhile when it is approved', async () => {
    const scope = ['read', 'correct', 'custom-action'].map((one) => `record.${one}`);
    const by = { caller: callerOf({ sub: 'registrar', userType: 'user', scope }, () => undefined), hungUp };
    const actions = [
      anAction({ type: 'DECLARE', declaration: values(1_500) as EventAction['declaration'] }),
      anAction({ type: 'REGISTER', registrationNumber: randomUUID() }),
      anAction({ type: 'ASSIGN', assignedTo: 'registrar' }),
    ];
    const document = anEventDocument({ actions: [anAction(), ...actions] });
    await process.writer.submit({
      ...{ client: 'feed', eventId: document.id, size: 1_000 },
      decide: () => ({ answer: undefined, change: { kind: 'create', document } }),
    });
    const correction = (declaration: object): Promise<object> =>
      act(document, 'REQUEST_CORRECTION', { declaration, keepAssignment }, by);
    await expect(correction(values(1_500, 1_500))).rejects.toMatchObject(tooMany(3_000));
    const requestId = ((await correction(values(300, 1_500))) as EventDocument).actions.at(-1)?.id;
    const custom = askedAction(
      'CUSTOM',
      { transactionId: 'grows', declaration: values(300, 1_800), keepAssignment },
      { customActionType: 'X' },
    );
    await process.operations.act(document.id, custom, by);
    await expect(act(document, 'APPROVE_CORRECTION', { requestId, keepAssignment }, by)).rejects.toMatchObject(
      tooMany(2_100),
    );
    await act(document, 'REJECT_CORRECTION', { requestId, content: { reason: 'too much' }, keepAssignment }, by);
    expect(typesOf(await correction({ 'field 0': null }))).toContain('REQUEST_CORRECTION');
  });
});

describe('an event whose approvals name one large request again and again', () => {
  const request = anAction({
    type: 'REQUEST_CORRECTION',
    declaration: Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`field ${at}`, at])),
  });
  const approvals = (count: number): readonly EventAction[] =>
    Array.from({ length: count }, () => anAction({ type: 'APPROVE_CORRECTION', requestId: request.id }));
  const refused = (line: number, { id }: EventDocument, values: number): object => ({
    ...{ line, id },
    issues: [{ message: `actions: would apply ${values} values to the declaration; at most 150000 are allowed` }],
  });

  it('is refused before it is replayed, as a whole and piece by piece', async () => {
    const approved = (times: number): EventDocument =>
      anEventDocument({ actions: [anAction(), request, ...approvals(times)] });
    const [most, tooMany] = [approved(100), approved(101)];
    const first = await runImport(test.database, [tooMany, most, anEventDocument()]);
    expect(first.result).toEqual({ imported: 2, updated: 0, rejected: 1, faults: [refused(1, tooMany, 151_500)] });
    const next = await runImport(test.database, [{ ...most, actions: approvals(1) }, approved(1)]);
    expect(next.result).toEqual({ imported: 1, updated: 0, rejected: 1, faults: [refused(1, most, 151_500)] });
  });
});

describe('events with long histories', () => {
  const long = { content: { comment: 'x'.repeat(MIB) } };

  it('are never in memory together, and each is answered', async () => {
    const events = [await aPrintedEvent(3, long), await aPrintedEvent(3, long), await aPrintedEvent(3, long)];
    const ids = events.map(({ id }) => id);
    await expect(test.database.transaction((transaction) => lockStoredEvents(transaction, ids))).rejects.toBeInstanceOf(
      HistoriesTooLong,
    );
    const two = await test.database.transaction((transaction) => lockStoredEvents(transaction, ids.slice(1)));
    expect(two.size).toBe(2);
    const views = await Promise.all(ids.map((id) => process.operations.read(id, registrar)));
    expect(views.map(typesOf)).toEqual(ids.map(() => ['CREATE', 'DECLARE', 'READ']));
  });

  it('are imported again, line by line', async () => {
    const events = [await aPrintedEvent(3, long), await aPrintedEvent(3, long), await aPrintedEvent(3, long)];
    const lines = events.map((event) => ({ ...event, actions: [anAction({ type: 'EDIT' })] }));
    const { result } = await runImport(test.database, lines);
    expect(result).toEqual({ imported: 0, updated: 3, rejected: 0, faults: [] });
    expect(await checkDerived(test.database, WITHOUT_FORMS)).toMatchObject({ differences: [] });
  });
});
