import { AnswersInFlight } from './answers-in-flight.js';

const THIRD = 90_000_000;

describe('answers in flight', () => {
  it('are refused when those that nobody has taken yet leave no room', () => {
    const answers = new AnswersInFlight();
    const releases: (() => void)[] = [];
    const hold = (bytes: number): void => {
      answers.hold(bytes, (release) => releases.push(release));
    };
    hold(THIRD);
    hold(THIRD);
    expect(() => {
      hold(THIRD);
    }).toThrow('Too many answers wait for their clients to take them');
    hold(100);
    releases[0]?.();
    hold(THIRD);
    expect(releases).toHaveLength(4);
  });

  it('are never refused where there is no other', () => {
    const answers = new AnswersInFlight();
    let released = 0;
    for (let at = 0; at < 2; at += 1) {
      answers.hold(3 * THIRD, (release) => {
        release();
        released += 1;
      });
    }
    expect(released).toBe(2);
  });
});
