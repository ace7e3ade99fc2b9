import type { Caller } from '../../src/kernel/domain/scopes/caller.js';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import { MIB } from '../../src/kernel/domain/bytes.js';
import { EventConfiguration } from '../../src/kernel/domain/event-configuration/event-configuration.js';
import type { EventAction, EventDocument } from '../../src/kernel/domain/event-action.js';
import { ServiceError } from '../../src/kernel/errors/service-error.js';
import { DuplicateReview } from '../../src/events/operations/duplicate-review.js';
import type { EventWriter } from '../../src/events/write/event-writer.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { type EventProcess, eventProcess, EVERYTHING_SHOWN, rowsIn } from '../support/event-writers.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storedAccess } from '../support/stored-access.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let process: EventProcess;
let review: DuplicateReview;
let securedReview: DuplicateReview;
beforeAll(async () => {
  test = await createTestDatabase();
  process = eventProcess(test.database);
  review = reviewWith(process.writer);
  securedReview = reviewWith(process.writer, SECURED);
});
afterAll(() => test.drop());

function reviewWith(writer: Pick<EventWriter, 'submit'>, configuration = WITHOUT_FORMS): DuplicateReview {
  const { access, stored, events } = storedAccess(test.database);
  return new DuplicateReview(writer, access, configuration, stored, events, EVERYTHING_SHOWN);
}

/** With a number of the child that is secured. */
const SECURED = new EventConfiguration(
  ['birth'],
  new Map([
    [
      'birth',
      {
        ...WITHOUT_FORMS.typeOf('birth'),
        fields: new Map(
          ['child.name', 'child.nid'].map((id) => [
            id,
            { id, kind: 'TEXT', isRequired: false, isSecured: id === 'child.nid', isCorrectable: true } as never,
          ]),
        ),
      },
    ],
  ]),
);

const { signal: hungUp } = new AbortController();

function reviewerOf(): Caller {
  const scope = ['record.review-duplicates', 'record.read'];
  return callerOf({ sub: 'reviewer', userType: 'user', scope }, () => undefined);
}
const reviewer = { caller: reviewerOf(), hungUp };

async function anEventWith(...actions: readonly EventAction[]): Promise<EventDocument> {
  const document = anEventDocument({ actions: [anAction(), anAction({ type: 'DECLARE' }), ...actions] });
  await process.writer.submit({
    ...{ client: 'feed', eventId: document.id, size: 1_000 },
    decide: () => ({ answer: undefined, change: { kind: 'create', document } }),
  });
  return document;
}

const aDuplicateOf = (events: readonly EventDocument[]): Promise<EventDocument> =>
  anEventWith(
    anAction({ type: 'DUPLICATE_DETECTED', duplicates: events.map(({ id, trackingId }) => ({ id, trackingId })) }),
  );

const aLongAction = () => anAction({ type: 'PRINT_CERTIFICATE', content: { comment: 'x'.repeat(3 * MIB) } });

/** As text, to be put in order. */
function idAndTypes(view: object): string {
  const { id, actions } = view as EventDocument;
  return [id, ...actions.map(({ type }) => type)].join(' ');
}

describe('the potential duplicates of a record', () => {
  it('are shown together, however many they are, and each is marked as read', async () => {
    const events = await Promise.all(Array.from({ length: 40 }, () => anEventWith()));
    const shown = await review.duplicatesOf((await aDuplicateOf(events)).id, reviewer);
    expect(shown.map(idAndTypes).sort()).toEqual(events.map(({ id }) => `${id} CREATE DECLARE READ`).sort());
  });

  it('wait for their turns in groups of eight, so that thousands of them have room as well (Q-2)', async () => {
    const events = await Promise.all(Array.from({ length: 40 }, () => anEventWith()));
    let [waiting, most] = [0, 0];
    const submit: EventWriter['submit'] = (command, gone) => {
      waiting += 1;
      most = Math.max(most, waiting);
      return process.writer.submit(command, gone).finally(() => {
        waiting -= 1;
      });
    };
    await reviewWith({ submit }).duplicatesOf((await aDuplicateOf(events)).id, reviewer);
    expect(most).toBe(8);
  });

  it('are shown and marked once each, however often the record names them', async () => {
    const [one, other] = [await anEventWith(), await anEventWith()];
    const shown = await review.duplicatesOf((await aDuplicateOf([one, other, one, one])).id, reviewer);
    expect(shown.map(idAndTypes)).toEqual([one, other].map(({ id }) => `${id} CREATE DECLARE READ`));
  });

  it('are as little there as one of them, and no less while the service has no room', async () => {
    const [one, gone] = [await anEventWith(), anEventDocument()];
    const { id } = await aDuplicateOf([one, gone]);
    await expect(review.duplicatesOf(id, reviewer)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `Event not found with ID: ${id}`,
    });
    const full = new ServiceError('SERVICE_UNAVAILABLE', 'Too many operations are waiting; try again later');
    const submit: EventWriter['submit'] = (command, left) =>
      command.eventId === one.id ? Promise.reject(full) : process.writer.submit(command, left);
    const known = await aDuplicateOf([one]);
    await expect(reviewWith({ submit }).duplicatesOf(known.id, reviewer)).rejects.toBe(full);
  });

  it('are refused where they are too long for one answer, and none is marked as read', async () => {
    const events = [
      await anEventWith(...Array.from({ length: 3 }, aLongAction)),
      await anEventWith(...Array.from({ length: 3 }, aLongAction)),
    ];
    const { id } = await aDuplicateOf(events);
    const before = await rowsIn(test.database);
    await expect(review.duplicatesOf(id, reviewer)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The potential duplicates of the event have too many actions for one answer; read them one by one',
    });
    expect(await rowsIn(test.database)).toEqual(before);
  });

  it('have no secured field for whoever may not read them, in an annotation or the content of an action neither', async () => {
    const secrets = { 'child.nid': 'NID7', 'child.name': 'Asha' };
    const one = await anEventWith(
      anAction({ type: 'DECLARE', declaration: secrets, annotation: secrets }),
      anAction({ type: 'CUSTOM', customActionType: 'NOTE', content: secrets }),
    );
    const { id } = await aDuplicateOf([one]);
    const caller = callerOf(
      { sub: 'reviewer', userType: 'user', scope: ['record.review-duplicates'] },
      () => undefined,
    );
    const shown = JSON.stringify(await securedReview.duplicatesOf(id, { caller, hungUp }));
    expect(shown).toContain('Asha');
    expect(shown).not.toContain('NID7');
    expect(JSON.stringify(await securedReview.duplicatesOf(id, reviewer))).toContain('NID7');
  });
});
