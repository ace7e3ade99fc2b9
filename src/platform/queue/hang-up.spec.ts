import { EventEmitter } from 'node:events';

import { HungUp, hangUpOf } from './hang-up.js';

const anAnswer = (more: { readonly destroyed?: boolean; readonly writableFinished?: boolean } = {}) =>
  Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false, ...more });

describe('whether somebody waits for an answer', () => {
  it('is told by the end of its connection', () => {
    const raw = anAnswer();
    const signal = hangUpOf({ raw });
    expect(signal.aborted).toBe(false);
    raw.emit('close');
    expect(signal.reason).toBeInstanceOf(HungUp);
  });

  it('is known of a connection that has ended before anybody asked', () => {
    const signal = hangUpOf({ raw: anAnswer({ destroyed: true }) });
    expect(signal.reason).toBeInstanceOf(HungUp);
  });

  it('does not matter once the answer is sent', () => {
    const raw = anAnswer({ writableFinished: true });
    const signals = [hangUpOf({ raw }), hangUpOf({ raw: anAnswer({ destroyed: true, writableFinished: true }) })];
    raw.emit('close');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
});
