import { OtherWork } from './other-work.js';

describe('OtherWork', () => {
  it('tells of requests that were there before, came in between, or came and went', () => {
    const work = new OtherWork();
    const before = work.watch();
    const ended = work.begin();
    const during = work.watch();
    const whileItRuns = [before(), during()];
    ended();
    expect([whileItRuns, before(), during(), work.watch()()]).toEqual([[true, true], true, true, false]);
  });
});
