import type { Declaration } from '../../kernel/domain/declaration.js';

const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** The text of a field of a declaration, trimmed; undefined if it has none. */
export function textField(declaration: Declaration, fieldId: string): string | undefined {
  const value = Object.hasOwn(declaration, fieldId) ? declaration[fieldId] : undefined;
  return typeof value === 'string' ? nonEmpty(value) : undefined;
}

/** FHIR knows no empty strings, and no control characters in them but tabs and line breaks. */
export function nonEmpty(text: unknown): string | undefined {
  const printable = typeof text === 'string' ? text.replace(FORBIDDEN, ' ').trim() : '';
  return printable === '' ? undefined : printable;
}

/** A text as FHIR writes codes: with single spaces between its words. */
export const codeText = (text: unknown): string | undefined => nonEmpty(text)?.replace(/\s+/g, ' ');
