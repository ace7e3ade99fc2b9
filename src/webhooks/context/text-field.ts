import type { Declaration } from '../../domain/record/declaration.js';

/** The text of a field of a declaration, trimmed; undefined if it has none. */
export function textField(declaration: Declaration, fieldId: string): string | undefined {
  const value = Object.hasOwn(declaration, fieldId) ? declaration[fieldId] : undefined;
  return typeof value === 'string' ? nonEmpty(value) : undefined;
}

/** FHIR knows no empty strings. */
export function nonEmpty(text: unknown): string | undefined {
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** A text as FHIR writes codes: with single spaces between its words. */
export const codeText = (text: unknown): string | undefined => nonEmpty(text)?.replace(/\s+/g, ' ');
