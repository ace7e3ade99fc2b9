import { PassThrough } from 'node:stream';
import { eventually } from '../../../test/support/eventually.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { SENDING_PACE } from '../dto/accepts.js';
import { BodyPlaces, type PacedBody } from './body-places.js';
import { type Bounds, FairQueue } from './fair-queue.js';

const { signal: hungUp } = new AbortController();
const FAST = SENDING_PACE.leastBytesPerSecond;
const tooMany = () => new ServiceError('SERVICE_UNAVAILABLE', 'There is no place', { refusal: 'uploads-full' });
const placesOf = (bounds: Omit<Bounds, 'mostWaiting'>, waitMs = 60_000): BodyPlaces =>
  new BodyPlaces(new FairQueue({ ...bounds, mostWaiting: 10 }), { waitMs, tooMany });
const GAVE_WAY = { code: 'SERVICE_UNAVAILABLE', refusal: 'upload-gave-way' };

/** A body whose pace is told. */
class Body extends PassThrough implements PacedBody {
  pace: number | undefined;
}

/** Some places, and what became of those that wanted one, by name. */
class Desk {
  readonly outcomes: Record<string, unknown> = {};
  readonly begun: string[] = [];

  constructor(readonly places: BodyPlaces) {}

  /** Takes a place for as long as the body is there. */
  ask(client: string, name: string, pace?: number): Body {
    const body = new Body();
    body.pace = pace;
    const work = async (): Promise<string> => {
      this.begun.push(name);
      await body.toArray();
      return 'read';
    };
    void this.places
      .run({ client, body, hungUp }, work)
      .catch((error: unknown) => error)
      .then((outcome) => (this.outcomes[name] = outcome));
    return body;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('BodyPlaces', () => {
  it('have the slowest give way at once while another waits, and only as many as wait', async () => {
    const desk = new Desk(placesOf({ atOnce: 4, ofOne: 2 }));
    for (const [client, name, pace] of [
      ['one', 'drips', 5],
      ['one', 'stands', 0],
      ['two', 'comes', FAST],
      ['two', 'begins', undefined],
    ] as const) {
      desk.ask(client, name, pace);
    }
    desk.ask('three', 'waits');
    await settled();
    expect(desk.outcomes).toEqual({ stands: expect.objectContaining(GAVE_WAY) as unknown });
    expect(desk.begun).toEqual(['drips', 'stands', 'comes', 'begins', 'waits']);
  });

  it('have one give way that becomes slow while another waits', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const desk = new Desk(placesOf({ atOnce: 2 }));
    const held = desk.ask('one', 'held');
    desk.ask('two', 'other');
    desk.ask('three', 'waits');
    await settled();
    held.pace = FAST - 1;
    jest.advanceTimersByTime(1_000);
    await settled();
    jest.useRealTimers();
    expect(desk.outcomes).toEqual({ held: expect.objectContaining(GAVE_WAY) as unknown });
    expect(desk.begun).toEqual(['held', 'other', 'waits']);
  });

  it('have none give way to a client that has as many as it may', async () => {
    const desk = new Desk(placesOf({ atOnce: 3, ofOne: 1 }));
    desk.ask('one', 'first', 0);
    desk.ask('two', 'second', 0);
    desk.ask('one', 'more');
    await settled();
    expect([desk.begun, Object.keys(desk.outcomes)]).toEqual([['first', 'second'], []]);
  });

  it('refuse whom nobody gives way in time', async () => {
    const desk = new Desk(placesOf({ atOnce: 1 }, 1));
    const first = desk.ask('one', 'first', FAST);
    desk.ask('two', 'second', FAST);
    await eventually('the second is refused', () => 'second' in desk.outcomes);
    first.end();
    await eventually('the first is read', () => 'first' in desk.outcomes);
    expect(desk.outcomes).toEqual({
      first: 'read',
      second: expect.objectContaining({ refusal: 'uploads-full' }) as unknown,
    });
  });
});
