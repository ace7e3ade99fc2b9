import { searchAnswer } from './search-answer.js';

describe('searchAnswer', () => {
  it('puts the records in as they are', () => {
    expect(searchAnswer({ total: 7, bodies: ['{"id":"a"}', '{"id": "b\\u2028"}'], last: undefined })).toBe(
      '{"results":[{"id":"a"},{"id": "b\\u2028"}],"total":7}',
    );
  });

  it('is complete without records', () => {
    expect(searchAnswer({ total: 0, bodies: [], last: undefined })).toBe('{"results":[],"total":0}');
  });
});
