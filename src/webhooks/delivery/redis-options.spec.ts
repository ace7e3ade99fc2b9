import { Secret } from '../../platform/config/secret.js';
import { redisOptions } from './bull-wake-ups.js';

const read = (url: string): unknown => ({ ...redisOptions(new Secret(url)), retryStrategy: undefined });

describe('redisOptions', () => {
  it('reads address, credentials, database and transport', () => {
    expect([read('redis://cache.example'), read('rediss://u%40x:p%3A1@[::1]:6380/3')]).toEqual([
      { host: 'cache.example', port: 6_379, db: 0, keepAlive: 10_000 },
      { host: '::1', port: 6_380, username: 'u@x', password: 'p:1', db: 3, tls: {}, keepAlive: 10_000 },
    ]);
  });

  it('connects again after at most two seconds, for ever', () => {
    const { retryStrategy } = redisOptions(new Secret('redis://cache.example'));
    expect([1, 5, 10_000].map((attempt) => retryStrategy?.(attempt))).toEqual([200, 1_000, 2_000]);
  });
});
