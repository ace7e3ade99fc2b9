import { PassThrough } from 'node:stream';
import { eventually } from '../../../test/support/eventually.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { SENDING_PACE } from '../openapi/accepts.js';
import { BodyPlaces, type PacedBody } from './body-places.js';

const { signal } = new AbortController();
const FAST = SENDING_PACE.leastBytesPerSecond;
const PATIENCE = {
  waitMs: 60_000,
  tooMany: () => new ServiceError('SERVICE_UNAVAILABLE', 'There is no place', { refusal: 'uploads-full' }),
};
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
      .run({ client, body, signal }, work)
      .catch((error: unknown) => error)
      .then((outcome) => (this.outcomes[name] = outcome));
    return body;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('BodyPlaces', () => {
  it('have the slowest give way at once while another waits, and only as many as wait', async () => {
    const desk = new Desk(new BodyPlaces({ atOnce: 4, ofOne: 2, mostWaiting: 10, mayWait: true, ...PATIENCE }));
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
    const desk = new Desk(new BodyPlaces({ atOnce: 2, mostWaiting: 10, mayWait: true, ...PATIENCE }));
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

  it.each([true, false])(
    'have none give way to a client that has as many as it may (may wait: %s)',
    async (mayWait) => {
      const desk = new Desk(new BodyPlaces({ atOnce: 3, ofOne: 1, mostWaiting: 10, mayWait, ...PATIENCE }));
      desk.ask('one', 'first', 0);
      desk.ask('two', 'second', 0);
      desk.ask('one', 'more');
      await settled();
      expect([desk.begun, Object.keys(desk.outcomes)]).toEqual([['first', 'second'], mayWait ? [] : ['more']]);
    },
  );

  it('refuse whom nobody gives way in time', async () => {
    const desk = new Desk(new BodyPlaces({ atOnce: 1, mostWaiting: 10, mayWait: true, ...PATIENCE, waitMs: 1 }));
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

  it('refuse at once whom nobody gives way, where none may wait', async () => {
    const desk = new Desk(new BodyPlaces({ atOnce: 2, mostWaiting: 10, mayWait: false, ...PATIENCE }));
    desk.ask('one', 'slow', 0);
    desk.ask('two', 'fast', FAST);
    desk.ask('three', 'third');
    desk.ask('four', 'fourth');
    await settled();
    expect(desk.begun).toEqual(['slow', 'fast', 'third']);
    expect(desk.outcomes).toEqual({
      slow: expect.objectContaining(GAVE_WAY) as unknown,
      fourth: expect.objectContaining({ refusal: 'uploads-full' }) as unknown,
    });
  });
});
