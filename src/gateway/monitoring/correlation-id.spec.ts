import { correlationIdOf } from '../http/create-adapter.js';

const idOf = (headers: Record<string, string>): string => correlationIdOf({ headers }, () => 'new');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('correlationIdOf', () => {
  it.each(['a', 'b2b6a5d0-6f6c-4f0e-8f57-0c6c7a3b9f11', 'team/job:17@host+x=_.', 'x'.repeat(128)])(
    'takes x-correlation-id %s',
    (id) => {
      expect(idOf({ 'x-correlation-id': id, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` })).toBe(id);
    },
  );

  it.each(['', 'x'.repeat(129), 'a b', 'a\tb', 'a"b', 'a,b', 'ä', '<script>'])('makes a new one for %j', (id) => {
    expect(idOf({ 'x-correlation-id': id })).toBe('new');
  });

  it.each([
    `00-${TRACE}-00f067aa0ba902b7-01`,
    `01-${TRACE}-00f067aa0ba902b7-01`,
    `cc-${TRACE}-00f067aa0ba902b7-01-more`,
  ])('takes the trace id of traceparent %s', (traceparent) => {
    expect(idOf({ traceparent })).toBe(TRACE);
  });

  it.each([
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7-01-more`,
    `01-${TRACE}-00f067aa0ba902b7-01more`,
    `00-${TRACE}-00f067aa0ba902b7`,
    'garbage',
  ])('takes nothing of traceparent %s', (traceparent) => {
    expect(idOf({ traceparent })).toBe('new');
  });
});
