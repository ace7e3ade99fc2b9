import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** Nest's messages about its own start are only for those who look for them. */
const FRAMEWORK = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * Nest's `Logger`, written to pino: the message or its fields, an error among the parameters as `err`, the last text as
 * the name of the logging class.
 */
export class NestLog implements LoggerService {
  constructor(private readonly sink: Logger) {}

  log(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('info', message, parameters);
  }

  fatal(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('fatal', message, parameters);
  }

  error(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('error', message, parameters);
  }

  warn(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('warn', message, parameters);
  }

  debug(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('debug', message, parameters);
  }

  verbose(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('trace', message, parameters);
  }

  private write(level: Level, message: unknown, parameters: readonly unknown[]): void {
    const texts = parameters.filter((parameter) => typeof parameter === 'string');
    const context = texts.at(-1);
    const err = [message, ...parameters].find((parameter) => parameter instanceof Error);
    const quiet = level === 'info' && context !== undefined && FRAMEWORK.has(context);
    this.sink[quiet ? 'debug' : level](
      { ...fieldsOf(message), ...(context !== undefined && { context }), ...(err !== undefined && { err }) },
      // In a line made of fields, the text comes before the name.
      typeof message === 'string' ? message : (err?.message ?? texts.at(-2)),
    );
  }
}

const fieldsOf = (message: unknown): object =>
  typeof message === 'object' && message !== null && !(message instanceof Error) ? message : {};
