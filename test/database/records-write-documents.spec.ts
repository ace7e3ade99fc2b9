import type { Database } from '../../src/platform/database/pools/database.js';
import { projectEvent } from '../../src/events/records/project-event.js';
import { lockStoredEvents } from '../../src/events/records/stored-events.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';
import { asDocument, asRecord, kinds, minute, writing } from '../support/written-records.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  ({ database } = test);
});

afterAll(() => test.drop());

const { actionIds, stored, versions, write } = writing(() => database);

describe('writing an event document', () => {
  const notify = anAction({ type: 'NOTIFY', createdAt: minute(1), createdBy: 'hospital' });
  const declare = anAction({ type: 'DECLARE', createdAt: minute(2), declaration: { a: 1, b: 1 } });
  const edit = anAction({ type: 'CUSTOM', createdAt: minute(3), declaration: { b: null, c: [{ d: 'x' }] } });

  it('keeps the actions and stores their projection', async () => {
    const incoming = asDocument({ actions: [anAction(), notify, declare, edit] });
    const { document } = incoming;
    const { record } = projectEvent(document, WITHOUT_FORMS);
    expect(await write(incoming)).toEqual([
      { kind: 'created', record, newActions: document.actions, knownActions: [] },
    ]);
    expect(await stored(document.id)).toEqual(record);
    expect(await actionIds(document.id)).toEqual(document.actions.map((action) => action.id));
    expect(
      await database.query(
        sql`select notified_created_by, notified_created_at_location from event_search where id = ${document.id}`,
      ),
    ).toEqual([{ notified_created_by: 'hospital', notified_created_at_location: aUuid(0xa2) }]);
  });

  it('appends the actions that are new, and tells which they are', async () => {
    const create = anAction();
    const { document } = asDocument({ actions: [create, declare] });
    await write({ kind: 'document', document });
    const longer = { ...document, actions: [create, notify, declare, edit] };
    const { record } = projectEvent(longer, WITHOUT_FORMS);
    expect(await write({ kind: 'document', document: longer })).toEqual([
      { kind: 'updated', record, newActions: [notify, edit], knownActions: [create, declare] },
    ]);
    expect(await stored(document.id)).toEqual(record);
    expect(await actionIds(document.id)).toEqual([create.id, declare.id, notify.id, edit.id]);
  });

  it('loses nothing by a document with fewer actions, or with others', async () => {
    const create = anAction();
    const { document } = asDocument({ actions: [create, declare] });
    await write({ kind: 'document', document });
    const before = await versions(document.id);
    expect(await write({ kind: 'document', document: { ...document, actions: [create] } })).toEqual([
      { kind: 'unchanged' },
    ]);
    expect(await versions(document.id)).toEqual(before);

    await write({ kind: 'document', document: { ...document, actions: [edit] } });
    expect(await stored(document.id)).toEqual(
      projectEvent({ ...document, actions: [create, declare, edit] }, WITHOUT_FORMS).record,
    );
  });

  it('does not change an action that is known by its id', async () => {
    const { document } = asDocument({ actions: [anAction(), declare] });
    await write({ kind: 'document', document });
    const [create] = document.actions;
    const other = { ...document, actions: [create, { ...declare, declaration: { a: 2 } }].flatMap((a) => a ?? []) };
    expect(await write({ kind: 'document', document: other })).toEqual([{ kind: 'unchanged' }]);
  });

  it('is changed no earlier than it was, whatever an older document says that arrives later', async () => {
    const { document } = asDocument({ updatedAt: minute(3), actions: [anAction(), edit] });
    await write({ kind: 'document', document });
    await write({ kind: 'document', document: { ...document, updatedAt: minute(2), actions: [declare] } });
    expect(await database.query(sql`select updated_at from event where id = ${document.id}`)).toEqual([
      { updated_at: new Date(minute(3)) },
    ]);
  });

  it('is read in the order in which its actions came, wherever PostgreSQL keeps them', async () => {
    const { document } = asDocument({ actions: [anAction()] });
    const actions = [...document.actions, notify, declare, edit];
    for (let count = 1; count <= actions.length; count += 1) {
      await write({ kind: 'document', document: { ...document, actions: actions.slice(0, count) } });
    }
    // Rows that are updated are written behind the others.
    await database.query(sql`
      update event_history set actions = actions || ' '
        from event where event_seq = seq and id = ${document.id} and position < 2`);
    const found = await database.transaction(async (transaction) => {
      await transaction.query(
        sql`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
      );
      return lockStoredEvents(transaction, [document.id]);
    });
    expect(found.get(document.id)?.actions).toEqual(actions);
  });

  it.each([
    ['no action that is new', []],
    ['nothing new but that somebody has read it', [anAction({ type: 'READ', createdAt: minute(4) })]],
  ])('takes the type and the tracking id of a document with %s', async (_, newActions) => {
    const { document } = asDocument({ actions: [anAction(), declare] });
    await write({ kind: 'document', document });
    const corrected = {
      ...document,
      type: 'death',
      trackingId: `C${document.trackingId}`,
      actions: [...document.actions, ...newActions],
    };
    const { record } = projectEvent(corrected, WITHOUT_FORMS);
    expect(await write({ kind: 'document', document: corrected })).toEqual([
      { kind: 'updated', record, newActions, knownActions: document.actions },
    ]);
    expect(await stored(document.id)).toEqual(record);
    expect(
      await database.query(
        sql`select e.type, e.tracking_id, s.type as found, s.tracking_id as "foundBy"
              from event e join event_search s using (id) where id = ${document.id}`,
      ),
    ).toEqual([{ type: 'death', tracking_id: corrected.trackingId, found: 'death', foundBy: corrected.trackingId }]);
    expect(await write({ kind: 'document', document: corrected })).toEqual([{ kind: 'unchanged' }]);
  });

  it('refuses a document with the tracking id of another event, whether an action is new or not', async () => {
    const [one, other] = [asDocument({ actions: [anAction()] }), asDocument({ actions: [anAction()] })];
    await write(one);
    await write(other);
    const document = { ...other.document, trackingId: one.document.trackingId };
    expect(await write({ kind: 'document', document })).toEqual([{ kind: 'conflict', on: 'trackingId' }]);
  });

  it('goes on from an imported record', async () => {
    const record = aRecord({ updatedAt: minute(0), flags: ['sealed'] });
    await write(asRecord(record));
    const { document } = asDocument({ ...record, actions: [notify, edit] });
    const expected = projectEvent(document, WITHOUT_FORMS, { record, actions: 0 }).record;
    expect(expected.flags).toEqual(['incomplete', 'sealed']);
    expect(await write({ kind: 'document', document })).toEqual([
      { kind: 'updated', record: expected, newActions: [notify, edit], knownActions: [] },
    ]);
    expect(await stored(record.id)).toEqual(expected);

    const register = anAction({ type: 'REGISTER', createdAt: minute(5), registrationNumber: 'R-5' });
    await write({ kind: 'document', document: { ...document, actions: [register] } });
    expect(await stored(record.id)).toEqual(
      projectEvent({ ...document, actions: [notify, edit, register] }, WITHOUT_FORMS, { record, actions: 0 }).record,
    );
  });

  it('is outdone by a record that is imported over it, from which later actions go on', async () => {
    const { document } = asDocument({ actions: [anAction(), notify, declare] });
    await write({ kind: 'document', document });
    const { id, trackingId } = document;
    const imported = aRecord({ id, trackingId, updatedAt: minute(0), status: 'REGISTERED', flags: ['sealed'] });
    expect(kinds(await write(asRecord(imported)))).toEqual(['updated']);
    expect(await stored(document.id)).toEqual(imported);
    expect(await database.query(sql`select notified_created_by from event_search where id = ${document.id}`)).toEqual([
      { notified_created_by: 'hospital' },
    ]);

    await write({ kind: 'document', document: { ...document, actions: [edit] } });
    expect(await stored(document.id)).toEqual({
      ...imported,
      updatedAt: minute(3),
      updatedBy: edit.createdBy,
      updatedByUserRole: edit.createdByRole,
      updatedAtLocation: edit.createdAtLocation,
      declaration: { ...imported.declaration, c: [{ d: 'x' }] },
    });
    expect(await actionIds(document.id)).toEqual([...document.actions.map((action) => action.id), edit.id]);
  });

  it.each([
    ['', 'record', []],
    [' that somebody has read', 'record', [anAction({ type: 'READ', createdAt: minute(4) })]],
    [' over its actions', 'actions', []],
    [' over its actions, that somebody has read', 'actions', [anAction({ type: 'READ', createdAt: minute(4) })]],
  ])('takes another type and tracking id, and the first again, of an imported record%s', async (_, from, reads) => {
    const actions = from === 'record' ? [] : [anAction(), notify];
    const { document } = asDocument({ actions: [...actions, ...reads] });
    const { id, type, trackingId } = document;
    if (actions.length > 0) await write({ kind: 'document', document: { ...document, actions } });
    const imported = aRecord({ id, type, trackingId, updatedAt: minute(0), flags: ['sealed', 'incomplete'] });
    await write(asRecord(imported));
    if (document.actions.length > 0) await write({ kind: 'document', document });
    expect(await stored(id)).toEqual(imported);

    const read = anAction({ type: 'READ', createdAt: minute(5) });
    const other = { type: 'death', trackingId: `C${trackingId}` };
    const known = document.actions.length > 0 ? document.actions : [read];
    await write({ kind: 'document', document: { ...document, ...other, actions: known } });
    expect(await stored(id)).toMatchObject(other);
    expect((await checkDerived(database, WITHOUT_FORMS)).differences).toEqual([]);

    await write({ kind: 'document', document: { ...document, actions: known } });
    expect(await stored(id)).toEqual(imported);
    expect((await checkDerived(database, WITHOUT_FORMS)).differences).toEqual([]);
  });
});
