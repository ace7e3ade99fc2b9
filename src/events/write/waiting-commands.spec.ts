import { QueueFull } from '../../platform/queue/fair-queue.js';
import { type Waiting, WaitingCommands } from './waiting-commands.js';

const refused: string[] = [];
beforeEach(() => {
  refused.length = 0;
});

const command = (client: string, eventId: string, size = 1): Waiting => ({
  ...{ client, eventId, size },
  refuse: (error) => {
    expect(error).toBeInstanceOf(QueueFull);
    refused.push(eventId);
  },
});

const queue = (mostWaiting = 100, mostBytes = 1_000) => new WaitingCommands<Waiting>({ mostWaiting, mostBytes });
const ALL = { most: 100, mostBytes: 1_000, mayBeHeavy: true };
const nobody = () => false;
const taken = (commands: readonly Waiting[]) => commands.map(({ eventId }) => eventId);

describe('WaitingCommands', () => {
  it('takes them client by client, and goes on where it stopped', () => {
    const waiting = queue();
    for (const id of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) waiting.add(command(id.charAt(0), id));
    expect(taken(waiting.take({ ...ALL, most: 4 }, nobody))).toEqual(['a1', 'b1', 'c1', 'a2']);
    expect(taken(waiting.take(ALL, nobody))).toEqual(['b2', 'a3']);
    expect(waiting.count).toBe(0);
  });

  it('takes one of each event, and none of an event that is busy', () => {
    const waiting = queue();
    for (const [client, id] of [
      ['a', 'x'],
      ['b', 'x'],
      ['a', 'y'],
      ['b', 'z'],
    ] as const) {
      waiting.add(command(client, id));
    }
    expect(taken(waiting.take(ALL, (id) => id === 'y'))).toEqual(['x', 'z']);
    expect(taken(waiting.take(ALL, nobody))).toEqual(['y', 'x']);
  });

  it('takes no more bytes together than may be, but for the last command', () => {
    const waiting = queue();
    for (const id of ['a', 'b', 'c']) waiting.add(command('a', id, 200));
    expect(taken(waiting.take({ ...ALL, mostBytes: 300 }, nobody))).toEqual(['a', 'b']);
  });

  it('takes a command that is larger than a portion alone, and in its turn', () => {
    const waiting = queue();
    waiting.add(command('a', 'a1', 400));
    for (const id of ['a2', 'b1', 'b2']) waiting.add(command(id.charAt(0), id, 10));
    waiting.add(command('c', 'c1', 400));
    const portion = { ...ALL, mostBytes: 300 };
    expect([1, 2, 3].map(() => taken(waiting.take(portion, nobody)))).toEqual([['a1'], ['b1', 'a2', 'b2'], ['c1']]);
  });

  it('takes others before a command that is too large now, and none of its own client', () => {
    const waiting = queue();
    waiting.add(command('a', 'a1', 400));
    for (const id of ['a2', 'b1', 'b2']) waiting.add(command(id.charAt(0), id, 10));
    const portion = { ...ALL, mostBytes: 300 };
    expect(taken(waiting.take({ ...portion, mayBeHeavy: false }, nobody))).toEqual(['b1', 'b2']);
    expect([1, 2].map(() => taken(waiting.take(portion, nobody)))).toEqual([['a1'], ['a2']]);
  });

  it('has the longest line give way, in number and in bytes', () => {
    const waiting = queue(3, 1_000);
    for (const id of ['a1', 'a2', 'a3', 'b1']) waiting.add(command(id.charAt(0), id));
    expect(refused).toEqual(['a3']);
    waiting.add(command('b', 'b2', 1_000));
    expect(refused).toEqual(['a3', 'b2']);
    expect(taken(waiting.take(ALL, nobody))).toEqual(['a1', 'b1', 'a2']);
  });

  it('has who holds the most bytes give way where there are too many, however few commands those are', () => {
    const waiting = queue(100, 1_000);
    for (const id of ['a1', 'a2', 'a3', 'a4']) waiting.add(command('a', id, 10));
    for (const id of ['b1', 'b2', 'b3']) waiting.add(command('b', id, 400));
    expect(refused).toEqual(['b3']);
    waiting.add(command('a', 'a5', 300));
    expect(refused).toEqual(['b3', 'b2']);
    expect([waiting.size, taken(waiting.take(ALL, nobody))]).toEqual([740, ['a1', 'b1', 'a2', 'a3', 'a4', 'a5']]);
  });

  it('forgets a command that is given up, unless it was taken', () => {
    const waiting = queue();
    const [first, second] = [command('a', 'a1'), command('a', 'a2')];
    waiting.add(first);
    waiting.add(second);
    expect([waiting.leave(first), waiting.leave(first)]).toEqual([true, false]);
    expect(taken(waiting.take(ALL, nobody))).toEqual(['a2']);
    expect(waiting.leave(second)).toBe(false);
  });
});
