/**
 * How long a test waits for something that happens at once on an idle machine: it bounds a hang, and says nothing of
 * speed. Less than Jest's own time-out (`jest.config.js`), so that what was waited for is named.
 */
export const HANG_MS = 100_000;

/** Jest's time-out of a test that has work for minutes on a busy machine. */
export const LONG_TEST_MS = 400_000;
