import type { Caller } from '../../src/access/caller.js';
import { callerOf } from '../../src/access/caller-of-claims.js';
import { WITHOUT_FORMS } from '../../src/domain/event-configuration/event-configuration.js';
import type { EventAction, EventDocument } from '../../src/domain/record/event-action.js';
import { DuplicateReview } from '../../src/intake/operations/duplicate-review.js';
import { Hierarchy } from '../../src/locations/hierarchy.js';
import { RecordAccess } from '../../src/search/record-access.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import type { EventProcess } from '../support/event-writers.js';
import { EVERYTHING_SHOWN, eventProcess, rowsIn } from '../support/event-writers.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

let test: TestDatabase;
let process: EventProcess;
let review: DuplicateReview;
beforeAll(async () => {
  test = await createTestDatabase();
  process = eventProcess(test.database);
  review = new DuplicateReview(process.writer, new RecordAccess(new Hierarchy([])), WITHOUT_FORMS, EVERYTHING_SHOWN);
});
afterAll(() => test.drop());

const { signal: hungUp } = new AbortController();

function reviewerOf(): Caller {
  const scope = ['record.review-duplicates', 'record.read'];
  const caller = callerOf({ sub: 'reviewer', userType: 'user', scope }, () => undefined);
  if (caller === undefined) throw new Error('these claims describe a caller');
  return caller;
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

const aLongAction = () => anAction({ type: 'PRINT_CERTIFICATE', content: { comment: 'x'.repeat(3 * 1_024 * 1_024) } });

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
});
