import { absurd } from './service-error.js';

it('names a case that was thought impossible', () => {
  const impossible: unknown = { kind: 'xor' };
  expect(() => absurd(impossible as never)).toThrow('unhandled case: {"kind":"xor"}');
});
