import type { LogLine, RunningApplication } from './application.js';

/** The lines that a service wrote for one request, once it has written the last of them. */
export async function loggedBy(service: RunningApplication, correlationId: string): Promise<readonly LogLine[]> {
  for (;;) {
    const lines = service.log.filter((line) => line.correlationId === correlationId);
    if (lines.some(({ msg }) => msg === 'request')) return lines;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
